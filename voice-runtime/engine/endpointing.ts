/**
 * How much silence ends a caller's turn. A caller who pauses long inside a turn is given more time, one
 * who does not is answered sooner. Plain arithmetic: no clock, no timer.
 */

import type { Completeness } from './completeness.ts'
import type { ConversationTiming } from './settings.ts'

/** What was learned about one caller. */
export interface Endpointing {
  /** Moving average of the pauses inside this caller's turns; null before the first. */
  readonly pauseMs: number | null
}

export const NO_PAUSES: Endpointing = { pauseMs: null }

/** Weight of the newest pause: three pauses settle the average. */
const PAUSE_WEIGHT = 0.4
/** A turn without any pause says a little, too. */
const FLUENT_TURN_FACTOR = 0.9
/** How far above a caller's usual pause the end of a turn lies. */
const PAUSE_FACTOR = 1.4
/** Before anything is known about a caller: this part of the way from the least silence to the longest. */
const UNKNOWN_CALLER_SHARE = 0.25

/** The caller was silent for `pauseMs` and went on with the same turn. */
export function learnPause(
  known: Endpointing,
  pauseMs: number,
  timing: ConversationTiming,
): Endpointing {
  const pause = Math.min(Math.max(pauseMs, 0), timing.endpointMaxMs)
  const usual = known.pauseMs ?? pause
  return { pauseMs: usual + PAUSE_WEIGHT * (pause - usual) }
}

/** The turn was answered, and the caller did not go on: the silence waited for was long enough. */
export function learnTurn(known: Endpointing): Endpointing {
  return known.pauseMs === null ? known : { pauseMs: known.pauseMs * FLUENT_TURN_FACTOR }
}

/** The silence that ends a turn now, in ms; always between `endpointMinMs` and `endpointMaxMs`. */
export function endOfTurnSilenceMs(
  known: Endpointing,
  completeness: Completeness,
  timing: ConversationTiming,
): number {
  const { endpointMinMs, endpointUnclearMs, endpointMaxMs } = timing
  if (completeness === 'closed') return endpointMinMs
  if (completeness === 'open') return endpointMaxMs
  const wanted =
    known.pauseMs === null
      ? endpointUnclearMs + UNKNOWN_CALLER_SHARE * (endpointMaxMs - endpointUnclearMs)
      : known.pauseMs * PAUSE_FACTOR
  return Math.round(Math.min(Math.max(wanted, endpointUnclearMs), endpointMaxMs))
}
