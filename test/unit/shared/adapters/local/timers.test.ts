import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { systemTimers } from '#shared/adapters/local/timers.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('fires once, unless it is cancelled', () => {
  const fired: string[] = []
  systemTimers.after(20, () => fired.push('a'))
  const cancel = systemTimers.after(20, () => fired.push('b'))
  cancel()
  cancel()
  vi.advanceTimersByTime(19)
  expect(fired).toEqual([])
  vi.advanceTimersByTime(100)
  expect(fired).toEqual(['a'])
})

it('does not fire at once when asked to wait for years', () => {
  const fired: string[] = []
  systemTimers.after(Number.MAX_SAFE_INTEGER, () => fired.push('a'))
  vi.advanceTimersByTime(86_400_000)
  expect(fired).toEqual([])
})
