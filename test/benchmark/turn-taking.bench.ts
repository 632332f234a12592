import type { BenchmarkResult } from './run.ts'
import { corpus, judgeEngine, judgePlainSilence } from './turn-taking/evaluate.ts'
import { ASSUMED } from './turn-taking/recogniser-model.ts'

/** What model and voice take until the first sentence is heard, where they are not to be left out. */
const TYPICAL = { modelMs: 400, voiceMs: 150 }

/**
 * How well turns are taken on the labelled corpus: by our conversation, and by the plain rule of a
 * speech detector and 700 ms of silence. Decisions only, and once more as they are heard when model
 * and voice take their time.
 */
export async function turnTakingBenchmark(): Promise<BenchmarkResult> {
  const ours = judgeEngine()
  const plain = judgePlainSilence()
  return {
    figures: {
      situations: corpus.length,
      assumedOfRecognisers: ASSUMED,
      ours,
      plainVadAnd700Ms: plain,
      oursAsHeard: { ...TYPICAL, ...judgeEngine(TYPICAL) },
    },
    judged: {
      'turnTaking.responseDelayMs.p50': ours.responseDelayMs,
      'turnTaking.falseEndsAgainstPlain': ours.falseEndShare / plain.falseEndShare,
    },
  }
}
