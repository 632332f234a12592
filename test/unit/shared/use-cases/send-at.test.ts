import { expect, test } from 'vitest'

import { sendAt } from '#shared/use-cases/send-at.ts'

const NOW = Date.parse('2026-11-21T10:00:30.500Z')

function recordingPorts() {
  const asked: unknown[] = []
  return {
    asked,
    clock: { now: () => NOW },
    queues: {
      send: async (queue: string, message: unknown, options: unknown) => {
        asked.push({ queue, message, options })
      },
    },
    scheduler: {
      schedule: async (request: unknown) => {
        asked.push(request)
      },
    },
  }
}

const MINUTE = Date.parse('2026-11-21T10:00:00Z')

test.each([
  ['in the past', NOW - 1, { queue: 'dispatch', message: { scope: 's' }, options: { group: 's' } }],
  [
    'soon: the queue keeps it, to the second',
    NOW + 1_200,
    { queue: 'dispatch', message: { scope: 's' }, options: { group: 's', delaySecs: 2 } },
  ],
  [
    'the longest that a queue keeps',
    NOW + 900_000,
    { queue: 'dispatch', message: { scope: 's' }, options: { group: 's', delaySecs: 900 } },
  ],
  [
    'later: the scheduler keeps it, once per minute',
    NOW + 900_001,
    {
      name: `wake-${MINUTE / 60_000 + 15}`,
      at: MINUTE + 15 * 60_000,
      queue: 'dispatch',
      message: { scope: 's' },
    },
  ],
])('a message %s', async (_, at, expected) => {
  const ports = recordingPorts()
  await sendAt(ports, { name: 'wake', at, queue: 'dispatch', message: { scope: 's' }, group: 's' })
  expect(ports.asked).toEqual([expected])
})
