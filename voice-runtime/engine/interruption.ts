/** Which words over the agent mean that the callee wants the floor. */

import { BACKCHANNEL_WORDS } from './backchannel-words.ts'
import type { Piece, UserTurn } from './conversation-state.ts'

const WORDS = new Set(
  Object.values(BACKCHANNEL_WORDS).flatMap((words) => words.split(' ').map(bare)),
)

/** A listener's word this shortly before the agent ends is an answer. */
const ANSWER_MARGIN_MS = 1_000

/** "mm-hm", "yeah, okay": the speaker may go on. No words at all are no words of a listener either. */
export function isBackchannel(text: string): boolean {
  const words = text
    .split(/[^\p{L}\p{N}\p{M}'’-]+/u)
    .map(bare)
    .filter((word) => word !== '')
  return words.length > 0 && words.every((word) => WORDS.has(word))
}

function bare(word: string): string {
  return word.normalize('NFC').toLowerCase().replaceAll(/['’-]/g, '')
}

/** Whether these words ask for the floor. */
export function wantsFloor(text: string): boolean {
  return text.trim() !== '' && !isBackchannel(text)
}

export interface Sorted {
  readonly kept: UserTurn
  readonly backchannel: readonly Piece[]
}

/** Takes out what the callee said only to show that they listened to a turn that ended at `stoppedAtMs`. */
export function withoutBackchannel(user: UserTurn, stoppedAtMs: number): Sorted {
  const isListening = (piece: Piece): boolean =>
    isBackchannel(piece.text) && piece.endedAtMs <= stoppedAtMs - ANSWER_MARGIN_MS
  const backchannel = user.pieces.filter(isListening)
  if (backchannel.length === 0) return { kept: user, backchannel }
  const pieces = user.pieces.filter((piece) => !isListening(piece))
  return { kept: { ...user, pieces, startedAtMs: pieces[0]?.startedAtMs ?? null }, backchannel }
}
