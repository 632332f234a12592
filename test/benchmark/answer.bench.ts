import { localLanguageModel } from '#infra/local/local-language-model.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import { EspeakClient } from '#shared/adapters/tts/espeak-client.ts'
import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'

import { cadenceVerdict } from './answer-corpus/cadence-verdict.ts'
import { RIGHT_RESULT } from './answer-corpus/greeting.ts'
import { hearOpening } from './answer-corpus/hear-opening.ts'
import { heardSound, openSpeechModel } from './answer-corpus/heard-sound.ts'
import { openingAudio } from './answer-corpus/opening-audio.ts'
import { openingsOf } from './answer-corpus/opening.ts'
import type { Opening } from './answer-corpus/opening.ts'
import { recognisedWords } from './answer-corpus/recognised-words.ts'
import { RULES_HALF } from './answer-corpus/rules-half.ts'
import { TEST_HALF } from './answer-corpus/test-half.ts'
import type { BenchmarkResult } from './run.ts'

/** Openings whose speech is synthesised at once. */
const AT_ONCE = 16
/** Mistakes that are listed, so that somebody can look into them. */
const LISTED = 40

interface Judged {
  readonly opening: Opening
  readonly right: AttemptResult
  readonly result: AttemptResult
  /** From the end of the greeting to the last change of the verdict; null where nobody spoke. */
  readonly decisionMs: number | null
  /** Every verdict on the way, the last one included. */
  readonly all: readonly AttemptResult[]
}

interface Outcome {
  readonly service: Judged
  readonly cadence: Judged
  readonly inquiries: number
  /** The agent spoke while a machine was still being taken for a person. */
  readonly isSpokenInto: boolean
}

/** Who answered: the production's conversation on the half of the corpus that the rules never saw. */
export function answerBenchmark(): Promise<BenchmarkResult> {
  return hear('answer', openingsOf('test', TEST_HALF))
}

/** The same on the half with which the rules were written: what there is to gain from more rules. */
export function answerRulesBenchmark(): Promise<BenchmarkResult> {
  return hear('answerRules', openingsOf('rules', RULES_HALF))
}

async function hear(name: string, openings: readonly Opening[]): Promise<BenchmarkResult> {
  const model = process.env['LLM_BASE_URL'] ? localLanguageModel(systemTimers) : null
  const outcomes = await hearAll(openings, model)
  const service = figuresOf(outcomes.map((outcome) => outcome.service))
  return {
    figures: {
      opinions: model === null ? 'none: no model is configured' : 'of the configured model',
      ...overview(outcomes),
      mistakes: outcomes
        .filter((outcome) => outcome.service.result !== outcome.service.right)
        .slice(0, LISTED)
        .map(
          ({ service: { opening, all } }) => `${opening.id}: ${all.join(', ')}: ${opening.text}`,
        ),
    },
    judged: {
      [`${name}.humanAsMachine.percent`]: service.humanAsMachinePercent,
      [`${name}.voicemailAsHuman.percent`]: service.voicemailAsHumanPercent,
      [`${name}.screeningMissed.percent`]: service.screeningMissedPercent,
      [`${name}.humanVerdictMs.p50`]: service.decisionMs.human?.p50 ?? NaN,
    },
  }
}

function overview(outcomes: readonly Outcome[]) {
  return {
    openings: outcomes.length,
    inquiries: outcomes.reduce((sum, { inquiries }) => sum + inquiries, 0),
    machinesSpokenInto: outcomes.filter(({ isSpokenInto }) => isSpokenInto).length,
    service: figuresOf(outcomes.map(({ service }) => service)),
    cadenceAlone: figuresOf(outcomes.map(({ cadence }) => cadence)),
  }
}

async function hearAll(
  openings: readonly Opening[],
  model: LanguageModel | null,
): Promise<readonly Outcome[]> {
  const espeak = new EspeakClient()
  const speechModel = await openSpeechModel()
  const outcomes: Outcome[] = []
  for (let from = 0; from < openings.length; from += AT_ONCE) {
    const group = openings.slice(from, from + AT_ONCE)
    outcomes.push(...(await Promise.all(group.map((opening) => hearOne(opening)))))
  }
  await espeak.close()
  return outcomes

  async function hearOne(opening: Opening): Promise<Outcome> {
    const { audio, greetingEndMs, words } = await openingAudio(espeak, opening)
    const sound = await heardSound(speechModel, audio)
    const untilMs = audio.length / SAMPLES_PER_MS
    const text = recognisedWords(opening, words)
    const all = [...sound, ...text].toSorted((a, b) => a.atMs - b.atMs)
    const heard = await hearOpening(all, { untilMs, model })
    const right = RIGHT_RESULT[opening.answerer]
    const judge = (verdicts: readonly { atMs: number; result: AttemptResult }[]): Judged => {
      const last = verdicts.at(-1)
      return {
        opening,
        right,
        result: last?.result ?? 'unknown',
        decisionMs:
          last === undefined || greetingEndMs === null
            ? null
            : Math.round(last.atMs - greetingEndMs),
        all: verdicts.map(({ result }) => result),
      }
    }
    const rightAtMs = heard.verdicts.findLast(({ result }) => result === right)?.atMs ?? Infinity
    const isMachine = right !== 'human' && right !== 'unknown'
    return {
      service: judge(heard.verdicts),
      cadence: judge([cadenceVerdict(sound, untilMs)]),
      inquiries: heard.inquiries,
      isSpokenInto: isMachine && heard.spokeAtMs !== null && heard.spokeAtMs < rightAtMs,
    }
  }
}

function figuresOf(judged: readonly Judged[]) {
  const confusion: Record<string, Record<string, number>> = {}
  for (const { opening, result } of judged) {
    const row = (confusion[opening.answerer] ??= {})
    row[result] = (row[result] ?? 0) + 1
  }
  const percent = (of: (each: Judged) => boolean, isWrong: (each: Judged) => boolean): number => {
    const all = judged.filter(of)
    return Math.round((10_000 * all.filter(isWrong).length) / all.length) / 100
  }
  const is = (result: AttemptResult) => (each: Judged) => each.right === result
  const times = (result: AttemptResult) =>
    percentiles(
      judged.flatMap((each) =>
        each.right === result && each.result === result && each.decisionMs !== null
          ? [each.decisionMs]
          : [],
      ),
    )
  return {
    confusion,
    rightPercent: percent(
      () => true,
      (each) => each.result === each.right,
    ),
    rightBySnr: Object.fromEntries(
      [...new Set(judged.map(({ opening }) => opening.snrDb))].map((snr) => [
        snr ?? 'clean',
        percent(
          ({ opening }) => opening.snrDb === snr,
          (each) => each.result === each.right,
        ),
      ]),
    ),
    humanAsMachinePercent: percent(is('human'), ({ all }) =>
      all.some((result) => result !== 'human' && result !== 'unknown'),
    ),
    voicemailAsHumanPercent: percent(is('voicemail'), ({ result }) => result === 'human'),
    screeningMissedPercent: percent(
      is('handset-screening-filter'),
      ({ result }) => result !== 'handset-screening-filter',
    ),
    /** From the end of the greeting; negative: before it. */
    decisionMs: {
      human: times('human'),
      voicemail: times('voicemail'),
      IVR: times('IVR'),
      screening: times('handset-screening-filter'),
    },
  }
}

function percentiles(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? null
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}
