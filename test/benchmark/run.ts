/**
 * `npm run bench -- <name>… [--json]`: measures, and says which budgets of budgets.json are kept.
 * A benchmark reports; it never fails because this machine is slow today.
 */

import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { answerBenchmark, answerRulesBenchmark } from './answer.bench.ts'
import { apiBenchmark } from './api.bench.ts'
import { diallerBenchmark } from './dialler.bench.ts'
import { turnTakingBenchmark } from './turn-taking.bench.ts'
import { voiceBenchmark } from './voice.bench.ts'

/** What a benchmark found, and the figures that budgets are about, by the name of the budget. */
export interface BenchmarkResult {
  readonly figures: unknown
  readonly judged: Readonly<Record<string, number>>
}

const BENCHMARKS: Readonly<Record<string, () => Promise<BenchmarkResult>>> = {
  answer: answerBenchmark,
  'answer-rules': answerRulesBenchmark,
  api: apiBenchmark,
  dialler: diallerBenchmark,
  'turn-taking': turnTakingBenchmark,
  voice: voiceBenchmark,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})
const wanted = positionals.length === 0 ? Object.keys(BENCHMARKS) : positionals
const budgets = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'budgets.json'), 'utf8'),
) as Readonly<Record<string, number>>

for (const name of wanted) {
  const benchmark = BENCHMARKS[name]
  if (benchmark === undefined) {
    throw new Error(
      `There is no benchmark ${name}; there are ${Object.keys(BENCHMARKS).join(', ')}`,
    )
  }
  const { figures, judged } = await benchmark()
  const verdicts = Object.entries(judged).map(([budget, value]) => {
    const limit = budgets[budget]
    return { budget, limit, value, isKept: limit !== undefined && value <= limit }
  })
  const machine = { node: process.version, cpus: os.cpus().length, cpu: os.cpus()[0]?.model }
  const report = { benchmark: name, machine, budgets: verdicts, figures }
  if (values.json) console.log(JSON.stringify(report, null, 2))
  else console.dir(report, { depth: null, maxArrayLength: null })
}
