import { expect, it } from 'vitest'

import { testClock } from '#shared/adapters/local/test-clock.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

function clockAt(speed: number) {
  const real = { ms: 500 }
  const timers = manualTimers()
  const clock = testClock({ start: 1_000_000, speed, elapsedMs: () => real.ms, timers })
  return { clock, real, timers }
}

it.each([
  [1, 40, 1_000_040],
  [10, 40, 1_000_400],
  [0.5, 41, 1_000_020],
])('runs %d times as fast: after %d real ms it is %d', (speed, elapsed, expected) => {
  const { clock, real } = clockAt(speed)
  expect(clock.now()).toBe(1_000_000)
  real.ms += elapsed
  expect(clock.now()).toBe(expected)
})

it('moves when it is advanced, and never back', () => {
  const { clock, real } = clockAt(1)
  clock.advance(3_600_000)
  clock.advance(1)
  real.ms += 9
  expect(clock.now()).toBe(1_000_000 + 3_600_001 + 9)
  expect(() => clock.advance(-1)).toThrow(RangeError)
  expect(() => clock.advance(Number.NaN)).toThrow(RangeError)
})

it('lets its timers measure only the time that passes by itself', () => {
  const { clock, timers } = clockAt(10)
  let fired = 0
  clock.after(200, () => (fired += 1))
  const cancel = clock.after(300, () => (fired += 10))
  clock.advance(86_400_000)
  expect(fired).toBe(0)
  expect(timers.waiting()).toEqual([20, 30])
  cancel()
  timers.fire(20)
  expect(fired).toBe(1)
  expect(timers.waiting()).toEqual([])
})
