import { describe, expect, test } from 'vitest'

import { liveLine } from '#infra/local/live-line.ts'

describe('a line of the live view', () => {
  test.each([
    [{ kind: 'speaking', text: 'Hello.' }, '  1.5s  agent   Hello.'],
    [{ kind: 'heard', text: 'Yes.' }, '  1.5s  callee  Yes.'],
    [{ kind: 'interrupted', text: 'Hel' }, '  1.5s          ... interrupted; heard: "Hel"'],
    [{ kind: 'tool', name: 'end_call' }, '  1.5s  agent   uses end_call'],
    [{ kind: 'ended', endedBy: 'user', endReason: null }, '  1.5s  ended by user'],
    [
      { kind: 'ended', endedBy: 'agent', endReason: 'tool_end_call' },
      '  1.5s  ended by agent (tool_end_call)',
    ],
    [
      { kind: 'latency', endOfTurnMs: 250.4, llmTtftMs: 3, ttsTtfbMs: null, firstAudioMs: 170 },
      '  1.5s          end of turn 250 ms · model 3 ms · decision to sound 170 ms',
    ],
    [{ kind: 'said', text: 'Hello.' }, null],
  ])('%j', (observation, line) => {
    expect(liveLine(JSON.stringify({ atMs: 1_512, ...observation }))).toBe(line)
  })
})
