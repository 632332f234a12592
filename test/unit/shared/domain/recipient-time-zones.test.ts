import { describe, expect, it, test } from 'vitest'

import { recipientTimeZones, workableTimeZones } from '#shared/domain/recipient-time-zones.ts'
import { DEFAULT_CALL_RETRY_CONFIG } from '#shared/domain/retry/call-retry-config.ts'
import { TIME_ZONE_TABLE } from '#shared/domain/time-zone-table.ts'
import { isTimeZone } from '#shared/domain/time.ts'
import { ALWAYS, NOON } from '#test/support/an-order.ts'

const fromNumber = (e164: string) =>
  recipientTimeZones({ configured: null, contactVariable: null, e164 })

test('the configured zone comes first, then the contact’s own, then the number', () => {
  const e164 = '+12125551234'
  const configured = 'Europe/Paris'
  const contactVariable = 'Asia/Tokyo'
  const zones = (named: Partial<Parameters<typeof recipientTimeZones>[0]>) =>
    recipientTimeZones({ configured: null, contactVariable: null, e164, ...named }).zones
  expect(zones({ configured, contactVariable })).toEqual(['Europe/Paris'])
  expect(zones({ contactVariable })).toEqual(['Asia/Tokyo'])
  expect(zones({ contactVariable: 'EST' })).toEqual(['America/New_York'])
  expect(zones({})).toEqual(['America/New_York'])
})

test.each([
  ['+12025550100', ['America/New_York']],
  ['+13125551234', ['America/Chicago']],
  ['+19075551234', ['America/Adak', 'America/Anchorage']],
  ['+5592912345678', ['America/Manaus']],
  ['+551155256325', ['America/Sao_Paulo']],
  ['+74232123456', ['Asia/Vladivostok']],
  ['+79161234567', ['Europe/Moscow']],
  ['+61891234567', ['Australia/Adelaide', 'Australia/Perth']],
  ['+61412345678', ['Australia/Sydney']],
  ['+526641234567', ['America/Tijuana']],
  ['+34928123456', ['Atlantic/Canary']],
  ['+493012345678', ['Europe/Berlin']],
])('the longest known prefix of %s', (e164, zones) => {
  expect(fromNumber(e164)).toEqual({ zones, warning: null })
})

test.each([
  ['+15551234567', 'America/New_York', 'Pacific/Honolulu'],
  ['+447700900123', 'Europe/London', 'Europe/Guernsey'],
])('%s, which no plan has, may be anywhere in its country code', (e164, likeliest, other) => {
  const { zones, warning } = fromNumber(e164)
  expect([zones[0], zones.includes(other), warning]).toEqual([likeliest, true, null])
})

test.each(['+999123456789', '+80012345678', '+881612345678', 'nonsense'])(
  '%s is of no known place',
  (e164) => {
    const { zones, warning } = fromNumber(e164)
    expect(zones).toEqual(['UTC'])
    expect(warning).toContain('UTC')
    expect(warning).not.toContain(e164)
  },
)

test('every zone of the table is one that time knows', () => {
  const names = new Set(TIME_ZONE_TABLE.match(/[A-Z][A-Za-z_]+(?:\/[A-Za-z_-]+)+/g))
  expect(names.size).toBeGreaterThan(250)
  expect([...names].filter((name) => !isTimeZone(name))).toEqual([])
})

describe('a toll-free number', () => {
  const { zones } = fromNumber('+18005551234')

  it('may be in any zone of its country code, the primary one named first', () => {
    expect(zones.length).toBeGreaterThan(30)
    expect(zones[0]).toBe('America/New_York')
  })

  it('counts as in the primary zone when the windows are never open in all', () => {
    const workable = workableTimeZones({ config: DEFAULT_CALL_RETRY_CONFIG, zones, from: NOON })
    expect(workable.zones).toEqual(['America/New_York'])
    expect(workable.warning).toContain('America/New_York')
  })

  it('keeps all its zones when the windows can be open in all', () => {
    const workable = workableTimeZones({ config: ALWAYS, zones, from: NOON })
    expect(workable).toEqual({ zones, warning: null })
  })
})
