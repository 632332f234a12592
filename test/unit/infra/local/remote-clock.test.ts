import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, expect, it } from 'vitest'

import { CLOCK_REPEAT_MS, ClockWatchers } from '#infra/local/clock-watchers.ts'
import { followClock } from '#infra/local/remote-clock.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

const SILENCE_MS = 3 * CLOCK_REPEAT_MS

const cleanUps: (() => unknown)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp()
})

/** A clock of one process, and another process that follows it. */
async function stage() {
  let now = 1_000_000
  const beats = manualTimers()
  const patience = manualTimers()
  const watchers = new ClockWatchers(() => now, beats)
  const server = createServer((_, response) => watchers.add(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const localUrl = `http://127.0.0.1:${port}`
  const clock = await followClock({ localUrl, speed: 1, timers: patience })
  return {
    clock,
    patience,
    watchers,
    beats,
    server,
    moveTo: (to: number) => {
      now = to
    },
  }
}

it('the clock is told again and again, moved or not', async () => {
  const { clock, beats, patience, moveTo } = await stage()
  expect(clock.now()).toBeGreaterThanOrEqual(1_000_000)
  for (const moment of [2_000_000, 3_000_000]) {
    moveTo(moment)
    const listening = patience.waiting()
    expect(listening).toEqual([SILENCE_MS])
    beats.fire(CLOCK_REPEAT_MS)
    // Nothing else tells that the line was read.
    while (clock.now() < moment) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(patience.waiting()).toEqual([SILENCE_MS])
})

it('a stack that says nothing any more is lost', async () => {
  const { clock, patience } = await stage()
  patience.fire(SILENCE_MS)
  await clock.lost
  expect(patience.waiting()).toEqual([])
})

it('a stack that ends, or breaks off, is lost', async () => {
  const first = await stage()
  first.watchers.close()
  expect(first.beats.waiting()).toEqual([])
  await first.clock.lost
  const second = await stage()
  second.server.closeAllConnections()
  await second.clock.lost
})
