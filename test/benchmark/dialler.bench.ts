import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

import { startDynamoDb } from '#test/support/dynamodb.ts'

import { dialDelay, type DialDelay } from './dialler/dial-delay.ts'
import { fateCosts, type FateCosts } from './dialler/order-fates.ts'
import { storeRates, type StoreRates } from './dialler/store-rates.ts'
import { planRetries } from './retry-plans.ts'
import type { BenchmarkResult } from './run.ts'

const PLANS = 400_000
/** The pace of the goal, and one that a small machine keeps with everything else that runs on it. */
const PACES = [10, 100] as const

/** What was estimated before anything was built, in write units (reference/aws.md 1.3). */
const ESTIMATED = { import: 5, reached: 45, 'no answer': 22 } as const
/** Of the same estimate: attempts of an order, and the share of them that reach somebody. */
const ATTEMPTS_PER_ORDER = 1.8
const ANSWER_RATE = 0.35
const DOLLARS_PER_MILLION_WRITES = 0.625

/** The dialler: planning, admission, import, the way to the dial, and what the table costs. */
export async function diallerBenchmark(): Promise<BenchmarkResult> {
  const usPerPlan = planTime()
  const importMemory = await importedMillion()
  const { rates, costs } = await onDatabase()
  const delays: DialDelay[] = []
  for (const pace of PACES) delays.push(await dialDelay(pace))
  return {
    figures: {
      plansPerSec: Math.round(1_000_000 / usPerPlan),
      ...rates,
      importMemory,
      decisionToRequest: delays,
      unitsPerOrder: costs,
      estimatedWriteUnits: ESTIMATED,
      writeUnitsPerAverageOrder: averageOrder(costs),
      dollarsPerThousandOrders: (averageOrder(costs) * DOLLARS_PER_MILLION_WRITES) / 1_000,
    },
    judged: {
      'dialler.usPerPlan': usPerPlan,
      'dialler.decisionToRequestMs.p99.at100': delays.at(-1)?.ms.p99 ?? Number.NaN,
      'dialler.importPeakMb.at1000000': importMemory.peakRssMb,
      'dialler.writeUnits.reached': costs.life['reached']?.write ?? Number.NaN,
      'dialler.writeUnits.noAnswer': costs.life['no answer']?.write ?? Number.NaN,
    },
  }
}

async function onDatabase(): Promise<{ readonly rates: StoreRates; readonly costs: FateCosts }> {
  const database = await startDynamoDb()
  try {
    return { rates: await storeRates(database), costs: await fateCosts(database) }
  } finally {
    await database.stop()
  }
}

/** On one processor, after it has been compiled. */
function planTime(): number {
  planRetries(PLANS / 4)
  const startedAt = performance.now()
  planRetries(PLANS)
  return Math.round(((performance.now() - startedAt) * 1_000 * 100) / PLANS) / 100
}

/** In a process of its own, whose memory is nobody else's. */
async function importedMillion(): Promise<{ readonly peakRssMb: number }> {
  const program = path.join(import.meta.dirname, 'dialler/import-memory.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  return JSON.parse(stdout) as { readonly peakRssMb: number }
}

function averageOrder({ import: imported, life }: FateCosts): number {
  const reached = life['reached']?.write ?? Number.NaN
  const missed = life['no answer']?.write ?? Number.NaN
  const perAttempt = ANSWER_RATE * reached + (1 - ANSWER_RATE) * missed
  return Math.round(imported + ATTEMPTS_PER_ORDER * perAttempt)
}
