/** What the conversation must know before it begins; prepared by the session, constant afterwards. */

import type { FirstSentenceMode } from '#shared/domain/assistant.ts'
import type { ToolDefinition } from '#shared/domain/chat.ts'

export interface ConversationSettings {
  readonly direction: 'inbound' | 'outbound'
  /** What is spoken, ISO 639-1. */
  readonly language: string
  /** The prompt with its variables filled in. */
  readonly prompt: string
  readonly firstSentence: string | null
  readonly firstSentenceMode: FirstSentenceMode
  readonly firstSentenceDelayMs: number
  readonly endOfCallSentence: string | null
  readonly maxCallDurationMs: number
  readonly maxDurationEndMessage: string | null
  readonly voicemailMessage: string | null
  /** Phone menus are gone through; otherwise one ends the call. */
  readonly ivrNavigationEnabled: boolean
  /** The speech-to-speech model that holds the conversation after the opening; null when there is none. */
  readonly realtimeModel: string | null
  /** The session is told while the callee waits for the agent's words. */
  readonly isThinkingHeard: boolean
  /** Tools beside `end_call`, which the engine adds itself. */
  readonly tools: readonly ToolDefinition[]
  /** Those whose call is cancelled when the callee interrupts; the others are finished. */
  readonly cancellableTools: readonly string[]
  readonly timing: ConversationTiming
}

/** All in ms. */
export interface ConversationTiming {
  /** How long a silent callee is waited for before the agent opens the conversation. */
  readonly greetingWaitMs: number
  /** A person's greeting is at most this long... */
  readonly personGreetingMs: number
  /** ...and followed by this much silence. */
  readonly personSilenceMs: number
  /** How much longer a model's opinion about the greeting is waited for. */
  readonly opinionMs: number
  /** Silence that ends what a screening assistant or a phone menu says. */
  readonly gateSilenceMs: number
  /** How long a person, or any word, is waited for behind a screening assistant and in a phone menu. */
  readonly screeningWaitMs: number
  readonly menuWaitMs: number
  /** Silence after a machine's greeting that stands for the beep when none is heard. */
  readonly machineSilenceMs: number
  /** How long a machine is listened to before the agent gives up waiting for its beep. */
  readonly machineCapMs: number
  /** Silence that ends a turn whose words sound finished... */
  readonly endpointMinMs: number
  /** ...may be either: at least this, adapted to the caller... */
  readonly endpointUnclearMs: number
  /** ...or sound unfinished. */
  readonly endpointMaxMs: number
  /**
   * Speech over the agent that is at least this long interrupts it, whatever is said. Recognised words
   * do so earlier; a listener's "mm-hm" lasts about 0.6 s and must not.
   */
  readonly interruptionMs: number
  /** After an interruption in which nothing was recognised, the agent resumes after this silence. */
  readonly falseInterruptionMs: number
  /** Silence on both sides after which the agent asks whether anybody is there. */
  readonly inactivityMs: number
  /** How often it asks before it hangs up. */
  readonly inactivityPrompts: number
  /** Silence that the agent did not choose is filled after this long: a voice needs time, too. */
  readonly deadAirMs: number
  /** A model that has said nothing for this long is given up. */
  readonly llmFirstTokenMs: number
  /** A voice that has produced nothing for this long is given up. */
  readonly ttsFirstAudioMs: number
}

export const DEFAULT_TIMING: ConversationTiming = {
  greetingWaitMs: 2_000,
  personGreetingMs: 2_500,
  personSilenceMs: 500,
  opinionMs: 1_000,
  gateSilenceMs: 900,
  screeningWaitMs: 45_000,
  menuWaitMs: 60_000,
  machineSilenceMs: 1_500,
  machineCapMs: 30_000,
  endpointMinMs: 150,
  endpointUnclearMs: 500,
  endpointMaxMs: 1_800,
  interruptionMs: 700,
  falseInterruptionMs: 1_500,
  inactivityMs: 8_000,
  inactivityPrompts: 2,
  deadAirMs: 2_000,
  llmFirstTokenMs: 6_000,
  ttsFirstAudioMs: 2_500,
}
