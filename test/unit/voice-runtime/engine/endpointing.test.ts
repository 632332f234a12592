import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { endOfTurnSilenceMs, learnPause, learnTurn, NO_PAUSES } from '#voice/engine/endpointing.ts'
import { DEFAULT_TIMING } from '#voice/engine/settings.ts'

const { endpointMinMs, endpointUnclearMs, endpointMaxMs } = DEFAULT_TIMING
const silenceAfter = (pauses: readonly number[]): number =>
  endOfTurnSilenceMs(
    pauses.reduce((known, pause) => learnPause(known, pause, DEFAULT_TIMING), NO_PAUSES),
    'unclear',
    DEFAULT_TIMING,
  )

test.each([
  ['unknown', [], 825],
  ['one pause', [500], 700],
  ['the average follows', [500, 1_000], 980],
  ['short pauses', [100, 120, 90], endpointUnclearMs],
  ['long pauses', [1_400, 1_500, 1_500], endpointMaxMs],
])('%s', (_name, pauses, silence) => {
  expect(silenceAfter(pauses)).toBe(silence)
})

test('words that sound finished, or unfinished, decide whatever the pauses of the caller', () => {
  const known = learnPause(NO_PAUSES, 1_000, DEFAULT_TIMING)
  expect(endOfTurnSilenceMs(known, 'closed', DEFAULT_TIMING)).toBe(endpointMinMs)
  expect(endOfTurnSilenceMs(known, 'open', DEFAULT_TIMING)).toBe(endpointMaxMs)
})

test('fluent turns shorten the wait again', () => {
  let known = learnPause(NO_PAUSES, 1_000, DEFAULT_TIMING)
  const before = endOfTurnSilenceMs(known, 'unclear', DEFAULT_TIMING)
  for (let turn = 0; turn < 5; turn += 1) known = learnTurn(known)
  expect(endOfTurnSilenceMs(known, 'unclear', DEFAULT_TIMING)).toBeLessThan(before * 0.7)
  expect(learnTurn(NO_PAUSES)).toBe(NO_PAUSES)
})

test('the wait stays in its bounds and never falls when a pause is longer', () => {
  const pauses = fc.array(fc.integer({ min: -1_000, max: 60_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(pauses, fc.nat(5_000), fc.nat(5_000), (before, one, other) => {
      const shorter = silenceAfter([...before, Math.min(one, other)])
      const longer = silenceAfter([...before, Math.max(one, other)])
      expect(shorter).toBeGreaterThanOrEqual(endpointUnclearMs)
      expect(longer).toBeLessThanOrEqual(endpointMaxMs)
      expect(shorter).toBeLessThanOrEqual(longer)
    }),
  )
})
