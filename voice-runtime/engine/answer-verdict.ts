/**
 * Who has answered: a person's greeting is short and followed by silence; a machine speaks long, says
 * that it is one, or beeps. Sources: LiveKit's timings and our own trials (reference/media-spikes.md 6).
 */

import { HUMAN_PHRASES, MACHINE_PHRASES } from './machine-phrases.ts'
import type { ConversationTiming } from './settings.ts'

export interface AnswerEvidence {
  /** The callee speaks at this moment. */
  readonly isSpeech: boolean
  /** Of all speech so far. */
  readonly speechMs: number
  /** Since the last speech; null before the first. */
  readonly silenceMs: number | null
  /** Since the call was answered. */
  readonly waitedMs: number
  /** Everything recognised so far, interim text included. */
  readonly text: string
  readonly isToneHeard: boolean
}

/** `unknown`: nobody spoke; the agent opens anyway. `undecided`: listen on. */
export type AnswerVerdict = 'human' | 'voicemail' | 'unknown' | 'undecided'

/** A pause that a machine's greeting does not have. */
export const LONG_PAUSE_MS = 1_500

export function answerVerdict(evidence: AnswerEvidence, timing: ConversationTiming): AnswerVerdict {
  const { isSpeech, silenceMs, waitedMs } = evidence
  if (isMachineText(evidence.text)) return 'voicemail'
  if (silenceMs === null && !isSpeech) {
    return waitedMs >= timing.greetingWaitMs ? 'unknown' : 'undecided'
  }
  if (evidence.isToneHeard) return 'voicemail'
  if (isSpeech || silenceMs === null) return 'undecided'
  return silenceMs >= decisiveSilenceMs(evidence.speechMs, timing) ? 'human' : 'undecided'
}

/** The silence after which a greeting of this length was a person's. */
export function decisiveSilenceMs(speechMs: number, timing: ConversationTiming): number {
  return speechMs <= timing.personGreetingMs ? timing.personSilenceMs : LONG_PAUSE_MS
}

/** Whether only an answering machine would say this. */
export function isMachineText(text: string): boolean {
  const said = HUMAN_PHRASES.reduce(
    (rest, phrase) => rest.replaceAll(` ${phrase} `, ' '),
    plain(text),
  )
  return Object.values(MACHINE_PHRASES).some((phrases) =>
    phrases.some((phrase) => said.includes(` ${phrase} `)),
  )
}

/** Lower case, no accents, no punctuation, one space around every word. */
function plain(text: string): string {
  const bare = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f'\u2019]/g, '')
    .toLowerCase()
  return ` ${bare.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `
}
