import { describe, expect, test } from 'vitest'

import { parseClockRequest } from '#infra/local/clock-request.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')

describe('a request to the test clock', () => {
  test.each([
    ['{"advance_seconds": 7200}', NOW + 7_200_000],
    ['{"advance_seconds": 0}', NOW],
    ['{"set": "2026-11-22T10:00:00Z"}', NOW + 86_400_000],
    ['{"set": "2026-11-21T12:00:00+01:00"}', NOW + 3_600_000],
  ])('%s', (body, until) => {
    expect(parseClockRequest(body, NOW)).toEqual({ kind: 'until', until })
  })

  test.each([
    ['', 'advance_seconds'],
    ['not json', 'advance_seconds'],
    ['{}', 'advance_seconds'],
    ['{"advance_seconds": -1}', 'advance_seconds'],
    ['{"advance_seconds": 1e12}', 'advance_seconds'],
    ['{"advance_seconds": "60"}', 'advance_seconds'],
    ['{"advance_seconds": 1, "set": "2026-11-22T10:00:00Z"}', 'advance_seconds'],
    ['{"set": "tomorrow"}', 'ISO 8601'],
    ['{"set": "2026-11-22T10:00:00"}', 'ISO 8601'],
    ['{"set": "2026-11-20T10:00:00Z"}', 'forward'],
  ])('%s is refused', (body, word) => {
    const refused = parseClockRequest(body, NOW)
    expect(refused.kind === 'refused' && refused.reason).toContain(word)
  })
})
