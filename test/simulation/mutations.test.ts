import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import { describe, expect, test } from 'vitest'

import type { Catch, Hunt } from './mutant.ts'
import { MUTATIONS } from './mutations.ts'
import { brokenInvariant, scenarioOf } from './simulate.ts'

const SEEDS_MAX = 2_000

describe('the simulation finds', { concurrent: true, timeout: 300_000 }, () => {
  test.each(MUTATIONS)('$name', async (mutation) => {
    const { failure } = await inWorker({ mutation, seedsMax: SEEDS_MAX })
    if (failure === null) throw new Error(`No seed of ${SEEDS_MAX} shows it`)
    expect(mutation.breaks).toContain(brokenInvariant(failure))
  })
})

test('what fails is made as small as it gets, and still breaks the same rule', async () => {
  const mutation = MUTATIONS.find(({ name }) => name === 'a cancel does not withdraw')
  if (mutation === undefined) throw new Error('no such mutation')
  const { failure, smallest } = await inWorker({ mutation, seedsMax: SEEDS_MAX, minimises: true })
  if (smallest === undefined) throw new Error('not found')
  expect(brokenInvariant(failure)).toBe(5)
  const kinds = scenarioOf(smallest).actions.map((action) =>
    action.kind === 'change' ? action.what : action.kind,
  )
  // An order that is cancelled between admission and dial: nothing else has to happen or to go wrong.
  expect(kinds).toEqual(['placeCall', 'cancel'])
})

const free = { slots: availableParallelism() }
const waiting: (() => void)[] = []

/** No more at once than there are processors. */
async function inWorker(workerData: Hunt): Promise<Catch> {
  while (free.slots === 0) await new Promise<void>((resolve) => waiting.push(resolve))
  free.slots -= 1
  try {
    const worker = new Worker(new URL('./mutant.ts', import.meta.url), { workerData, execArgv: [] })
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  } finally {
    free.slots += 1
    waiting.shift()?.()
  }
}
