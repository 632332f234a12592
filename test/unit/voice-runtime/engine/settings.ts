import type { ConversationSettings, ConversationTiming } from '#voice/engine/settings.ts'
import { DEFAULT_TIMING } from '#voice/engine/settings.ts'

export type SettingsChange = Partial<Omit<ConversationSettings, 'timing'>> & {
  readonly timing?: Partial<ConversationTiming>
}

/** An outbound call of an assistant with a fixed first sentence. */
export function testSettings(change: SettingsChange = {}): ConversationSettings {
  return {
    direction: 'outbound',
    language: 'en',
    prompt: 'You are Anna.',
    firstSentence: 'Hi, this is Anna.',
    firstSentenceMode: 'static',
    firstSentenceDelayMs: 400,
    endOfCallSentence: null,
    maxCallDurationMs: 600_000,
    maxDurationEndMessage: null,
    voicemailMessage: null,
    ivrNavigationEnabled: false,
    realtimeModel: null,
    isThinkingHeard: false,
    tools: [],
    cancellableTools: [],
    ...change,
    timing: { ...DEFAULT_TIMING, ...change.timing },
  }
}
