/** What an assistant is: spec 2.1 to 2.6, in the domain's own words (camelCase, no wire formats). */

import type { LlmModel } from './llm-model.ts'
import type { CallRetryConfig } from './retry/call-retry-config.ts'

export const ASSISTANT_TYPES = ['standalone', 'multi-step', 'sub-assistant'] as const
export type AssistantType = (typeof ASSISTANT_TYPES)[number]

export const FIRST_SENTENCE_MODES = ['generated', 'static', 'none'] as const
export type FirstSentenceMode = (typeof FIRST_SENTENCE_MODES)[number]

export const OUTCOMES = [
  'not_interested',
  'interested',
  'completed',
  'requested_callback_later',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** `none` selects calls whose outcome is null (spec, conventions). */
export const OUTCOME_SELECTORS = [...OUTCOMES, 'none'] as const
export type OutcomeSelector = (typeof OUTCOME_SELECTORS)[number]

export const BACKGROUND_SOUNDS = ['audio/office.ogg'] as const
export type BackgroundSound = (typeof BACKGROUND_SOUNDS)[number]

export const THINKING_SOUNDS = [
  'city-ambience.ogg',
  'forest-ambience.ogg',
  'office-ambience.ogg',
  'crowded-room.ogg',
  'keyboard-typing.ogg',
  'keyboard-typing2.ogg',
  'hold_music.ogg',
] as const
export type ThinkingSound = (typeof THINKING_SOUNDS)[number]

export const STT_MODELS = ['stt-rt-v4', 'stt-rt-v5'] as const
export type SttModel = (typeof STT_MODELS)[number]

export const HUMAN_TRANSFER_MODES = ['warm', 'cold'] as const
export type HumanTransferMode = (typeof HUMAN_TRANSFER_MODES)[number]

export const VOICE_PROVIDERS = ['voice_provider_1', 'voice_provider_2', 'voice_provider_3'] as const
export type VoiceProvider = (typeof VOICE_PROVIDERS)[number]

export const TTS_MODELS = ['tts_model_1', 'tts_model_2', 'tts_model_3'] as const
export type TtsModel = (typeof TTS_MODELS)[number]

/** Spec 2.2. `model` and `volume` have effect with voice_provider_1 only. */
export interface Voice {
  readonly id: string
  readonly provider: VoiceProvider
  readonly model?: TtsModel | undefined
  readonly speed?: number | undefined
  readonly volume?: number | undefined
}

export const STRUCTURED_OUTPUT_TYPES = [
  'string',
  'number',
  'boolean',
  'enum',
  'date',
  'datetime',
] as const
export type StructuredOutputType = (typeof STRUCTURED_OUTPUT_TYPES)[number]

/** Spec 2.5; also the shape of a custom tool's parameters. */
export interface StructuredOutputField {
  readonly name: string
  readonly required: boolean
  readonly type: StructuredOutputType
  readonly description?: string | undefined
  readonly enumOptions?: readonly string[] | undefined
}

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type HttpMethod = (typeof HTTP_METHODS)[number]

/** Spec 2.4. */
export interface CustomTool {
  readonly name: string
  readonly description: string
  readonly method: HttpMethod
  readonly url: string
  readonly headers: readonly KeyValue[]
  readonly queryParams: readonly KeyValue[]
  readonly bodyTemplate: string | null
  readonly inputSchema: readonly StructuredOutputField[]
}

export interface KeyValue {
  readonly key: string
  readonly value: string
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface PromptFlow {
  readonly edges: readonly {
    readonly id: string
    readonly source: string
    readonly target: string
  }[]
  readonly nodes: readonly {
    readonly id: string
    readonly data: { readonly body: string; readonly title: string }
    readonly position: Point
    readonly type: 'promptBlock'
  }[]
}

export interface SttContext {
  readonly general: readonly KeyValue[]
  readonly terms: readonly string[]
}

export interface TransferDestination {
  readonly label: string
  readonly phoneNumber: string
}

export interface SchedulingLink {
  readonly connectionId: string
  readonly eventTypeId: string
}

export interface CrmALink {
  readonly connectionId: string
  /** A URL string or `{id, name, url}`; stored and returned as given (decisions 2). */
  readonly meetingLinks: readonly unknown[]
  readonly precallLookupEnabled: boolean
}

export interface ChatLink {
  readonly channels: readonly { readonly id: string; readonly name?: string | null | undefined }[]
  readonly connectionId: string
  readonly outcomes: readonly OutcomeSelector[]
  readonly template?: string | null | undefined
}

export interface CrmBLink {
  readonly connectionId: string
  readonly fieldMapping: readonly { readonly source: string; readonly crmField: string }[]
  readonly logCallActivity: boolean
  readonly module: string
  readonly outcomes: readonly OutcomeSelector[]
  readonly template?: string | null | undefined
}

export const FAQ_SOURCES = ['human', 'ai'] as const

export interface FaqItem {
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly needsHumanAnswer: boolean
  readonly source: (typeof FAQ_SOURCES)[number]
}

/** A member of the organization as other records show it (spec 2.1 `created_by`, 2.9 `assignee`). */
export interface Person {
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
}

/** Everything of an assistant that its owner configures (spec 2.1). */
export interface AssistantSettings {
  readonly name: string
  readonly type: AssistantType
  readonly prompt: string
  readonly promptFlow: PromptFlow | null
  readonly position: Point | null
  readonly firstSentence: string | null
  readonly firstSentenceMode: FirstSentenceMode
  readonly firstSentenceDelayMs: number
  readonly endOfCallSentence: string | null
  readonly maxCallDurationSecs: number
  readonly maxDurationEndMessage: string | null
  readonly voicemailMessage: string | null
  readonly voicemailSmsPrompt: string | null
  readonly afterCallSmsOutcomes: readonly OutcomeSelector[] | null
  readonly afterCallSmsPrompt: string | null
  readonly smsEnabled: boolean
  readonly smsTemplate: string | null
  readonly backgroundSound: BackgroundSound | null
  readonly backgroundSoundVolume: number
  readonly thinkingSound: ThinkingSound | null
  readonly thinkingSoundProbability: number
  readonly thinkingSoundVolume: number
  readonly voice: Voice | null
  readonly llmModel: LlmModel
  readonly sttModel: SttModel
  readonly sttContext: SttContext | null
  readonly ttsDictionaryPronunciationId: string | null
  readonly ivrNavigationEnabled: boolean
  readonly humanTransferMode: HumanTransferMode | null
  readonly transferDestinations: readonly TransferDestination[] | null
  readonly transferPhoneNumber?: string | undefined
  readonly warmTransferSummaryInstructions: string | null
  readonly customTools: readonly CustomTool[] | null
  readonly emailNotificationAddress: string | null
  readonly emailNotificationOutcomes: readonly OutcomeSelector[] | null
  readonly webhookUrl: string | null
  readonly structuredOutputConfig: readonly StructuredOutputField[] | null
  readonly structuredOutputPrompt: string | null
  readonly fromPhoneNumber: string | null
  readonly callRetryConfig: CallRetryConfig | null
  readonly scheduling: SchedulingLink | null
  readonly crmA: CrmALink | null
  readonly chat: ChatLink | null
  readonly crmB: CrmBLink | null
  readonly precallLookupUrl: string | null
  readonly logoUrl: string | null
  readonly faqItems: readonly FaqItem[]
  readonly isInboundReceptionist?: boolean | undefined
  readonly isRealestateAssistant?: boolean | undefined
}

/** A stored assistant. `version` counts its edits; orders keep the version they were planned with. */
export interface Assistant extends AssistantSettings {
  readonly id: string
  readonly organizationId: string
  readonly version: number
  readonly pendingFaqCount: number
  readonly createdBy: Person | null
  /** Epoch ms. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Soft deletion: hidden from lists, kept for the orders that use it (decisions 2). */
  readonly deletedAt: number | null
}

/** Whether something of it must be kept from everybody: a model's key, headers of tools. */
export function holdsSecrets(settings: AssistantSettings): boolean {
  const hasHeaders = (settings.customTools ?? []).some(({ headers }) => headers.length > 0)
  return settings.llmModel.type === 'custom' || hasHeaders
}
