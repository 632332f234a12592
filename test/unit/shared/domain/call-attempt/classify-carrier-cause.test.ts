import { expect, test } from 'vitest'

import type { DialError } from '#shared/domain/call-attempt/attempt.ts'
import {
  classifyCarrierCause,
  type CarrierCause,
} from '#shared/domain/call-attempt/classify-carrier-cause.ts'

const cause = (given: Partial<CarrierCause>): CarrierCause => ({
  sipCode: null,
  reason: null,
  q850: null,
  endedBy: 'carrier',
  ...given,
})

test.each<[DialError, readonly number[]]>([
  ['busy', [486, 600]],
  ['no_answer', [408]],
  ['number_non_attributed', [404, 410, 484, 604]],
  ['temporarily_unavailable', [480, 502, 503]],
  ['too_many_calls', [429]],
  ['precondition_failed', [401, 407, 412, 580]],
  ['non_classified_error', [403, 487, 488, 500, 504, 603, 607, 608, 699]],
])('%s by SIP code', (dialError, codes) => {
  for (const sipCode of codes) expect(classifyCarrierCause(cause({ sipCode }))).toBe(dialError)
})

test.each<[number, DialError]>([
  [1, 'number_non_attributed'],
  [17, 'busy'],
  [18, 'no_answer'],
  [19, 'no_answer'],
  [20, 'temporarily_unavailable'],
  [22, 'number_non_attributed'],
  [28, 'number_non_attributed'],
  [34, 'temporarily_unavailable'],
  [42, 'too_many_calls'],
])('Q.850 cause %i decides before the SIP code', (q850, dialError) => {
  expect(classifyCarrierCause(cause({ q850, sipCode: 603 }))).toBe(dialError)
})

test('a Q.850 cause that says nothing leaves it to the SIP code', () => {
  expect(classifyCarrierCause(cause({ q850: 16, sipCode: 486 }))).toBe('busy')
  expect(classifyCarrierCause(cause({ q850: 31, sipCode: 480 }))).toBe('temporarily_unavailable')
})

test.each<[number | null, string, DialError]>([
  [403, 'User channel limit exceeded D1', 'too_many_calls'],
  [403, 'D17 billing', 'precondition_failed'],
  [403, 'Geo permission denied', 'no_international_permission'],
  [503, 'CPS limit reached', 'too_many_calls'],
  [503, 'All circuits busy', 'temporarily_unavailable'],
  [404, 'international', 'number_non_attributed'],
  [null, '21215', 'no_international_permission'],
  [null, '21211', 'number_non_attributed'],
  [null, '21219', 'precondition_failed'],
  [null, '10004', 'too_many_calls'],
  [null, 'busy', 'busy'],
  [null, 'user_busy', 'busy'],
  [null, 'no-answer', 'no_answer'],
  [null, 'timeout', 'no_answer'],
  [null, 'not_found', 'number_non_attributed'],
  [null, 'call_rejected', 'non_classified_error'],
  [null, 'carrier_unreachable', 'non_classified_error'],
  [null, '', 'non_classified_error'],
])('SIP %s with the words %j', (sipCode, reason, dialError) => {
  expect(classifyCarrierCause(cause({ sipCode, reason }))).toBe(dialError)
})

test('our own ring timer means that nobody answered', () => {
  expect(classifyCarrierCause(cause({ endedBy: 'caller', sipCode: 487 }))).toBe('no_answer')
  expect(classifyCarrierCause(cause({ endedBy: 'caller' }))).toBe('no_answer')
  expect(classifyCarrierCause(cause({ endedBy: 'callee' }))).toBe('non_classified_error')
})
