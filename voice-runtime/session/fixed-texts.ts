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
