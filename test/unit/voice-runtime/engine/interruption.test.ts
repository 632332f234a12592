import { expect, test } from 'vitest'

import type { UserTurn } from '#voice/engine/conversation-state.ts'
import { isBackchannel, wantsFloor, withoutBackchannel } from '#voice/engine/interruption.ts'
import { NO_USER_TURN } from '#voice/engine/user-turn.ts'

test.each([
  ['Mm-hm.', true],
  ['mhm', true],
  ['Uh-huh, yeah.', true],
  ['Okay, I see.', true],
  ["D'accord", true],
  ['Sí, claro', true],
  ['Ja ja, genau!', true],
  ['Yes but wait', false],
  ['No.', false],
  ['Stop', false],
  ['Yes, on Tuesday', false],
  ['', false],
  ['...', false],
])('%s: %s', (text, isListening) => {
  expect(isBackchannel(text)).toBe(isListening)
})

test('no words ask for nothing', () => {
  expect(wantsFloor(' ')).toBe(false)
  expect(wantsFloor('wait')).toBe(true)
})

function turn(...pieces: readonly (readonly [string, number])[]): UserTurn {
  return {
    ...NO_USER_TURN,
    startedAtMs: 0,
    pieces: pieces.map(([text, endedAtMs]) => {
      return { text, startedAtMs: endedAtMs - 300, endedAtMs, receivedAtMs: endedAtMs + 200 }
    }),
  }
}

test.each([
  ['said long before the end', turn(['mm-hm', 3_000]), ['mm-hm'], []],
  ['said at the end', turn(['yes', 4_500]), [], ['yes']],
  ['followed by words', turn(['okay', 2_000], ['wait', 4_800]), ['okay'], ['wait']],
  ['words are kept whenever they were said', turn(['wait', 2_000]), [], ['wait']],
])('a listening word %s', (_name, user, dropped, kept) => {
  const sorted = withoutBackchannel(user, 5_000)
  expect(sorted.backchannel.map(({ text }) => text)).toEqual(dropped)
  expect(sorted.kept.pieces.map(({ text }) => text)).toEqual(kept)
})
