import type { ConversationState } from '../engine/conversation-state.ts'
import type { ConversationSettings } from '../engine/settings.ts'
import { APOLOGY, FALLBACKS, FILLERS, LOST_SENTENCE } from '../engine/stock-sentences.ts'

/** What is said word for word as it is written: in every call of the assistant, or of all. */
export function fixedTextsOf(settings: ConversationSettings): ReadonlySet<string> {
  const { endOfCallSentence, firstSentence, firstSentenceMode, maxDurationEndMessage } = settings
  const own = [
    firstSentenceMode === 'static' ? firstSentence : null,
    endOfCallSentence,
    maxDurationEndMessage,
    settings.voicemailMessage,
  ]
  const stock = [APOLOGY, LOST_SENTENCE, ...FILLERS, ...Object.values(FALLBACKS)]
  return new Set([...own.filter((text) => text !== null), ...stock].map((text) => text.trim()))
}

/** What will be said as soon as the callee, or the machine, lets the agent speak. */
export function soonSaid({ phase, settings }: ConversationState): string | null {
  if (phase === 'machine') return settings.voicemailMessage?.trim() ?? null
  if (phase !== 'opening' || settings.firstSentenceMode !== 'static') return null
  return settings.firstSentence?.trim() ?? null
}
