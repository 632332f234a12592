/**
 * Who has answered: a person's greeting is short and followed by silence; a machine speaks long, says
 * that it is one, or beeps. What neither timing nor words decide, a model is asked. Sources: LiveKit's
 * timings and our own trials (reference/media-spikes.md 6).
 */

import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'

import { readAnswer } from './read-answer.ts'
import type { Machine } from './read-answer.ts'
import type { ConversationTiming } from './settings.ts'

export interface AnswerEvidence {
  /** The callee speaks at this moment. */
  readonly isSpeech: boolean
  /** Of all speech so far, that which goes on included. */
  readonly speechMs: number
  /** Since the last speech; null before the first. */
  readonly silenceMs: number | null
  /** Since the call was answered. */
  readonly waitedMs: number
  /** Everything recognised so far, interim text included. */
  readonly text: string
  readonly isToneHeard: boolean
  /** What the carrier's own detection holds, where it has one. Only a hint. */
  readonly carrier: 'human' | 'machine' | null
  /** What a model made of the words; `asked` until it has answered. */
  readonly opinion: AttemptResult | 'asked' | null
}

/** `undecided`: listen on. `doubtful`: listen on, and ask a model. `unknown`: nobody spoke. */
export type AnswerVerdict = AttemptResult | 'undecided' | 'doubtful'

/** Pauses that the greeting of a machine does not have: of one that sounds like it, and of any other. */
const SUSPICIOUS_PAUSE_MS = 1_500
const LONG_PAUSE_MS = 1_000

export const RESULT_OF: Readonly<Record<Machine, AttemptResult>> = {
  screening: 'handset-screening-filter',
  menu: 'IVR',
  voicemail: 'voicemail',
}

export function answerVerdict(evidence: AnswerEvidence, timing: ConversationTiming): AnswerVerdict {
  const { isSpeech, silenceMs, waitedMs, opinion } = evidence
  const reading = readAnswer(evidence.text)
  if (reading.machine !== null) return RESULT_OF[reading.machine]
  if (silenceMs === null && !isSpeech) {
    return waitedMs >= timing.greetingWaitMs ? 'unknown' : 'undecided'
  }
  // Fax machines and exchanges have tones, too, and say nothing.
  if (evidence.isToneHeard && evidence.text !== '') return 'voicemail'
  // That it is a person is no reason to cut in.
  if (isMachine(opinion)) return opinion
  const isOver = !isSpeech && (silenceMs ?? 0) >= decisiveSilenceMs(evidence, timing)
  if (isOver) return evidence.carrier === 'machine' ? 'voicemail' : personOrNoise(evidence)
  return isDoubtful(evidence, timing) ? 'doubtful' : 'undecided'
}

/** A sound without words may be a person's, and is no proof of one. */
function personOrNoise({ text }: AnswerEvidence): 'human' | 'unknown' {
  return text === '' ? 'unknown' : 'human'
}

function isMachine(opinion: AnswerEvidence['opinion']): opinion is AttemptResult {
  return Object.values(RESULT_OF).some((result) => result === opinion)
}

/** Short and unsuspicious, or somebody, or something, says that it is a person. */
export function isPersonLike(evidence: AnswerEvidence, timing: ConversationTiming): boolean {
  const { carrier, opinion, speechMs, text } = evidence
  const reading = readAnswer(text)
  if (reading.isPerson || opinion === 'human' || carrier === 'human') return true
  return speechMs <= timing.personGreetingMs && !reading.isSuspicious && carrier !== 'machine'
}

/** The silence after which a greeting like this was a person's. */
export function decisiveSilenceMs(evidence: AnswerEvidence, timing: ConversationTiming): number {
  if (isPersonLike(evidence, timing)) return timing.personSilenceMs
  const isUnsuspicious = evidence.text !== '' && !readAnswer(evidence.text).isSuspicious
  const pauseMs = isUnsuspicious ? LONG_PAUSE_MS : SUSPICIOUS_PAUSE_MS
  return evidence.opinion === 'asked' ? pauseMs + timing.opinionMs : pauseMs
}

/** Worth asking a model: words that neither a person's greeting nor a machine's phrase explains. */
function isDoubtful(evidence: AnswerEvidence, timing: ConversationTiming): boolean {
  const { isSpeech, opinion, speechMs, text } = evidence
  if (opinion !== null || text === '') return false
  return !isPersonLike(evidence, timing) && (!isSpeech || speechMs > timing.personGreetingMs)
}
