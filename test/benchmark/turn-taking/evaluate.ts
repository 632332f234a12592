/** How well turns are taken: our conversation, and a speech detector with 700 ms of silence. */

import { readFileSync } from 'node:fs'

import { advanceSegmenter, SILENT, VAD_WINDOW_MS } from '#voice/media/speech-segmenter.ts'

import { isOverlap, probabilityOf } from './corpus.ts'
import type { Situation } from './corpus.ts'
import { runEngine } from './run-engine.ts'
import type { Outcome, VendorDelays } from './run-engine.ts'

const PLAIN_SILENCE_MS = 700
/** A turn that is not taken by then is missed. */
const MISSED_AFTER_MS = 3_000
/** The same for an agent that is to stop. */
const MISSED_STOP_AFTER_MS = 1_500

export const corpus = readFileSync(new URL('corpus.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Situation)

/** Every rate as `bad/all`; delays are medians in ms. */
export interface Judgement {
  /** Answers that began before the callee had finished. */
  readonly falseEnds: string
  readonly falseEndShare: number
  readonly missedEnds: string
  /** From the end of the callee's turn to the answer, of turns that were not cut. */
  readonly responseDelayMs: number
  readonly responseDelayP90Ms: number
  /** The agent stopped, and should not have. */
  readonly falseStops: string
  /** Of those, how many it made good by going on. */
  readonly falseStopsResumed: string
  readonly missedStops: string
  readonly stopDelayMs: number
  readonly falseEndsByKind: Readonly<Record<string, string>>
  readonly responseDelayByKindMs: Readonly<Record<string, number>>
  /** Requests to the model for each turn. */
  readonly requestsPerTurn: number
}

/** `delays` at 0: what is decided is heard at once. */
export function judgeEngine(delays: VendorDelays = { modelMs: 0, voiceMs: 0 }): Judgement {
  let caller = -1
  let endpointing: Parameters<typeof runEngine>[1]['endpointing'] = null
  const outcomes = corpus.map((situation, seed) => {
    if (situation.caller !== caller) endpointing = null
    caller = situation.caller
    const run = runEngine(situation, { seed, delays, endpointing })
    if (!isOverlap(situation)) endpointing = run.endpointing
    return run.outcome
  })
  return judge(outcomes)
}

export function judgePlainSilence(): Judgement {
  return judge(corpus.map((situation) => plainOutcome(situation)))
}

/** The turn ends after 700 ms without speech; speech over the agent stops it. */
function plainOutcome(situation: Situation): Outcome {
  const answersAtMs: number[] = []
  const stopsAtMs: number[] = []
  let segmenter = SILENT
  let silentSinceMs: number | null = null
  for (const [index, letter] of situation.detected.split('').entries()) {
    const atMs = (index + 1) * VAD_WINDOW_MS
    const { state, change } = advanceSegmenter(segmenter, {
      probability: probabilityOf(letter),
      atMs,
    })
    segmenter = state
    if (change?.type === 'speechStarted') {
      silentSinceMs = null
      stopsAtMs.push(atMs)
    }
    if (change?.type === 'speechEnded') silentSinceMs = change.endedAtMs
    if (silentSinceMs !== null && atMs >= silentSinceMs + PLAIN_SILENCE_MS) {
      answersAtMs.push(silentSinceMs + PLAIN_SILENCE_MS)
      silentSinceMs = null
    }
  }
  return { answersAtMs, stopsAtMs, requests: answersAtMs.length, isResumed: false }
}

interface Judged {
  readonly situation: Situation
  readonly outcome: Outcome
}

function judge(outcomes: readonly Outcome[]): Judgement {
  const all = outcomes.map((outcome, index): Judged => ({ situation: corpus[index]!, outcome }))
  const turns = all.filter(({ situation }) => !isOverlap(situation))
  const overlaps = all.filter(({ situation }) => isOverlap(situation))
  const harmless = overlaps.filter(({ situation }) => !situation.mustStop)
  const serious = overlaps.filter(({ situation }) => situation.mustStop)
  const falseStops = harmless.filter(hasStopped)
  const delays = turns.filter((turn) => !isFalse(turn)).flatMap(delayOf)
  const kinds = [...new Set(turns.map(({ situation }) => situation.kind))]
  const of = (kind: string) => turns.filter(({ situation }) => situation.kind === kind)
  return {
    falseEnds: share(turns.filter(isFalse), turns),
    falseEndShare: turns.filter(isFalse).length / turns.length,
    missedEnds: share(
      turns.filter((turn) => delayOf(turn).length === 0),
      turns,
    ),
    responseDelayMs: percentile(delays, 0.5),
    responseDelayP90Ms: percentile(delays, 0.9),
    falseStops: share(falseStops, harmless),
    falseStopsResumed: share(
      falseStops.filter(({ outcome }) => outcome.isResumed),
      falseStops,
    ),
    missedStops: share(
      serious.filter((each) => !hasStopped(each)),
      serious,
    ),
    stopDelayMs: percentile(serious.filter(hasStopped).map(stopDelay), 0.5),
    falseEndsByKind: Object.fromEntries(
      kinds.map((kind) => [kind, share(of(kind).filter(isFalse), of(kind))]),
    ),
    responseDelayByKindMs: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        percentile(
          of(kind)
            .filter((turn) => !isFalse(turn))
            .flatMap(delayOf),
          0.5,
        ),
      ]),
    ),
    requestsPerTurn:
      Math.round(
        (100 * turns.reduce((sum, { outcome }) => sum + outcome.requests, 0)) / turns.length,
      ) / 100,
  }
}

function isFalse({ situation, outcome }: Judged): boolean {
  return outcome.answersAtMs.some((atMs) => atMs < situation.endMs)
}

function delayOf({ situation, outcome }: Judged): number[] {
  const atMs = outcome.answersAtMs.find((atMs) => atMs >= situation.endMs)
  return atMs === undefined || atMs - situation.endMs > MISSED_AFTER_MS
    ? []
    : [atMs - situation.endMs]
}

function hasStopped(judged: Judged): boolean {
  return (
    judged.outcome.stopsAtMs.length > 0 &&
    (!judged.situation.mustStop || stopDelay(judged) <= MISSED_STOP_AFTER_MS)
  )
}

/** From the first word, or sound. */
function stopDelay({ situation, outcome }: Judged): number {
  return (outcome.stopsAtMs[0] ?? Infinity) - (situation.pieces[0]?.[0]?.[1] ?? 0)
}

function share(bad: readonly unknown[], all: readonly unknown[]): string {
  const percent = all.length === 0 ? 0 : Math.round((1_000 * bad.length) / all.length) / 10
  return `${bad.length}/${all.length} (${percent} %)`
}

function percentile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? 0)
}
