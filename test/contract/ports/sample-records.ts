/** Complete records with awkward contents: unicode, empty texts, nulls, numbers of every size. */

import type { Assistant } from '#shared/domain/assistant.ts'
import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { ApiKey, Organization, User } from '#shared/domain/organization.ts'
import { DEFAULT_CALL_RETRY_CONFIG } from '#shared/domain/retry/call-retry-config.ts'
import { organizationScope } from '#shared/domain/scope.ts'
import type { SpeechEvent } from '#shared/domain/transcript.ts'
import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'

export const NOON = Date.UTC(2026, 0, 31, 12)

export const AWKWARD_TEXTS = {
  empty: '',
  unicode: 'Zoë 你好 🙋🏽‍♀️ \u0000 \u2028 "quoted" \\',
  '': 'an empty name',
  'a.b#c': 'a name with signs',
}

export function sampleOrder(changes: Partial<CallOrder> = {}): CallOrder {
  return {
    id: 'call_1',
    organizationId: 'org_1',
    version: 1,
    direction: 'outbound',
    status: 'scheduled',
    toPhoneNumber: '+12025550100',
    fromPhoneNumber: null,
    assistant: { kind: 'stored', assistantId: 'asst_1', version: 3 },
    scope: organizationScope('org_1'),
    campaign: { campaignId: 'camp_1', rowId: 'row_1', rowIndex: 0 },
    visualNumber: 7,
    concurrency: { key: 'schlüssel', max: 3 },
    retryConfig: { ...DEFAULT_CALL_RETRY_CONFIG, maxRetryAttempts: Number.MAX_SAFE_INTEGER },
    timeZones: ['America/New_York', 'UTC'],
    warnings: ['', 'ⓘ'],
    forceNow: false,
    scheduledAt: null,
    dueAt: NOON,
    blockedBy: null,
    attemptsMade: 1,
    lastAttempt: { number: 1, startedAt: 1, endedAt: 2, result: null, dialError: 'busy' },
    pauseRequested: false,
    cancelReason: null,
    callbackFrom: { callId: 'call_0', createdAt: 0 },
    outcome: null,
    outcomeSummary: '',
    promptVariables: AWKWARD_TEXTS,
    metadata: {},
    isTest: true,
    isAnnounced: false,
    createdAt: NOON,
    updatedAt: NOON,
    ...changes,
  }
}

export function sampleAttempt(changes: Partial<CallAttempt> = {}): CallAttempt {
  return {
    id: 'att_1',
    orderId: 'call_1',
    organizationId: 'org_1',
    number: 1,
    version: 1,
    phoneNumber: '+12025550100',
    fromPhoneNumber: '+12025550199',
    status: 'queued',
    result: null,
    dialError: null,
    permits: [{ scope: 'ORG#org_1', shard: 2 }],
    admittedAt: NOON,
    dialStartedAt: null,
    dialOwner: null,
    carrierCallId: null,
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
    fence: 0,
    leaseUntil: NOON + 30_000,
    handledByAi: false,
    handledByHuman: false,
    handledByUser: { id: 'user_1', email: 'z@example.org', firstName: 'Zoë', lastName: null },
    assistantsUsed: ['', 'asst_1'],
    endReason: null,
    endedBy: null,
    recordingKey: null,
    transcript: [],
    speechEvents: [],
    structuredOutput: null,
    concludedAt: null,
    ...changes,
  }
}

/** An attempt that ended, with everything that can be known of it. */
export function endedAttempt(changes: Partial<CallAttempt> = {}): CallAttempt {
  return sampleAttempt({
    status: 'completed',
    result: 'human',
    endedAt: NOON + 60_000,
    leaseUntil: null,
    transcript: [
      { role: 'user', content: '' },
      { role: 'assistant', content: 'Grüß Gott 👋' },
      {
        role: 'tool',
        content: '',
        toolName: 'look_up',
        toolArguments: { deep: [{ '': null, big: 1e300, small: 5e-324, half: 0.1 }] },
        toolOutput: 'a lone surrogate \ud800',
        toolIsError: false,
      },
    ],
    speechEvents: [sampleSpeech(1, 'You are a helpful agent.')],
    structuredOutput: { wanted: 2 ** 70, note: null, list: [], text: '' },
    ...changes,
  })
}

export function sampleSpeech(index: number, llmSystemPrompt: string): SpeechEvent {
  return {
    id: `sp_${index}`,
    isRealTurn: true,
    speaker: 'agent',
    startedSpeakingAtMs: index * 1000,
    stoppedSpeakingAtMs: null,
    transcript: '',
    sttTranscriptionDelayMs: null,
    llmSystemPrompt,
    llmTtftMs: 0.5,
    llmWinnerModel: null,
    ttsTtfbMs: 0,
    wasCut: false,
  }
}

export function sampleAssistant(changes: Partial<Assistant> = {}): Assistant {
  return {
    name: 'Zoë',
    type: 'standalone',
    prompt: 'Be kind. ✨',
    promptFlow: { edges: [], nodes: [] },
    position: { x: -0.5, y: 1e300 },
    firstSentence: '',
    firstSentenceMode: 'static',
    firstSentenceDelayMs: 0,
    endOfCallSentence: null,
    maxCallDurationSecs: 600,
    maxDurationEndMessage: null,
    voicemailMessage: null,
    voicemailSmsPrompt: null,
    afterCallSmsOutcomes: ['none'],
    afterCallSmsPrompt: null,
    smsEnabled: false,
    smsTemplate: null,
    backgroundSound: null,
    backgroundSoundVolume: 0.1,
    thinkingSound: null,
    thinkingSoundProbability: 0,
    thinkingSoundVolume: 1,
    voice: { id: 'voice', provider: 'voice_provider_1' },
    llmModel: { type: 'dedicated-instance', name: 'dedicated_model_1' },
    sttModel: 'stt-rt-v5',
    sttContext: { general: [{ key: '', value: '' }], terms: [] },
    ttsDictionaryPronunciationId: null,
    ivrNavigationEnabled: false,
    humanTransferMode: null,
    transferDestinations: null,
    warmTransferSummaryInstructions: null,
    customTools: [],
    emailNotificationAddress: null,
    emailNotificationOutcomes: null,
    webhookUrl: 'https://example.org/hook',
    structuredOutputConfig: null,
    structuredOutputPrompt: null,
    fromPhoneNumber: null,
    callRetryConfig: DEFAULT_CALL_RETRY_CONFIG,
    scheduling: null,
    crmA: {
      connectionId: 'conn_1',
      meetingLinks: ['https://example.org', { id: 1e300, nested: [null] }],
      precallLookupEnabled: true,
    },
    chat: null,
    crmB: null,
    precallLookupUrl: null,
    logoUrl: null,
    faqItems: [{ id: 'faq_1', question: '?', answer: '', needsHumanAnswer: true, source: 'ai' }],
    id: 'asst_1',
    organizationId: 'org_1',
    version: 1,
    pendingFaqCount: 1,
    createdBy: null,
    createdAt: NOON,
    updatedAt: NOON,
    deletedAt: null,
    ...changes,
  }
}

export function sampleDelivery(changes: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: 'evt_1',
    organizationId: 'org_1',
    orderId: 'call_1',
    endpointId: 'whep_1',
    url: 'https://example.org/hook?ü=',
    body: '{"text": "exact  bytes ✓\\ud800"}\n',
    status: 'pending',
    version: 1,
    tries: [{ at: NOON, statusCode: null }],
    dueAt: NOON,
    createdAt: NOON,
    ...changes,
  }
}

export function sampleOrganization(id = 'org_1'): {
  organization: Organization
  user: User
  apiKey: ApiKey
} {
  return {
    organization: {
      id,
      name: 'Zoë & Söhne',
      maxConcurrentCalls: 10,
      defaultFromPhoneNumber: '+12025550199',
      webhookSecrets: ['whsec_1'],
      createdAt: NOON,
    },
    user: {
      id: 'user_1',
      organizationId: id,
      email: 'z@example.org',
      firstName: '',
      lastName: 'Ö',
      hasCompletedOnboarding: false,
      createdAt: NOON,
      updatedAt: NOON,
    },
    apiKey: {
      id: 'key_1',
      organizationId: id,
      userId: 'user_1',
      hash: `hash-of-${id}`,
      mode: 'test',
      scopes: ['*'],
      createdAt: NOON,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      hint: 'last',
      name: 'A key',
    },
  }
}

/** The next version of a record. */
export function next<T extends { readonly version: number }>(record: T, changes: Partial<T>): T {
  return { ...record, ...changes, version: record.version + 1 }
}

/** Text that gzip can hardly shorten; the same for the same length and seed. */
export function incompressible(length: number, seed = 1): string {
  let state = seed
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(33 + (state % 94))
  }).join('')
}
