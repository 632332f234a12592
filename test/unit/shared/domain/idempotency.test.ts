import { describe, expect, test } from 'vitest'

import {
  ANSWER_KEPT_MS,
  CLAIM_MS,
  decideClaim,
  type IdempotencyRecord,
  settle,
} from '#shared/domain/idempotency.ts'

const NOW = 1_000_000
const request = { id: 'id', fingerprint: 'f', isSecret: false }
const record: IdempotencyRecord = {
  ...request,
  version: 3,
  startedAt: NOW - 5,
  claimedUntil: NOW + 5,
  expiresAt: NOW + 50,
  answer: null,
}
const first = { ...request, startedAt: NOW, claimedUntil: NOW + CLAIM_MS, answer: null }

describe('who may work on a request', () => {
  const cases: [what: string, known: IdempotencyRecord | null, decision: object][] = [
    ['the first', null, { kind: 'claim', isRepeat: false, record: { ...first, version: 1 } }],
    [
      'the first after a day',
      { ...record, fingerprint: 'other', expiresAt: NOW, answer: { body: 1 } },
      { kind: 'claim', isRepeat: false, record: { ...first, version: 4 } },
    ],
    ['nobody with another request', { ...record, fingerprint: 'other' }, { kind: 'reused' }],
    ['nobody once it is answered', { ...record, answer: { body: [] } }, { kind: 'answered' }],
    ['nobody while somebody does', record, { kind: 'inFlight' }],
    [
      'whoever comes after a lease ran out',
      { ...record, claimedUntil: NOW },
      {
        kind: 'claim',
        isRepeat: true,
        record: { ...record, version: 4, claimedUntil: NOW + CLAIM_MS },
      },
    ],
  ]
  test.each(cases)('%s', (_what, known, decision) => {
    expect(decideClaim(known, request, NOW)).toMatchObject(decision)
  })

  test('an answer is kept for a day', () => {
    const claim = decideClaim(null, request, NOW)
    expect(claim).toMatchObject({ record: { expiresAt: NOW + ANSWER_KEPT_MS } })
  })
})

describe('what the next one finds', () => {
  const nextAfter = (settlement: Parameters<typeof settle>[1]) =>
    decideClaim(settle(record, settlement, NOW), request, NOW)

  test.each([[{ id: 1 }], [null], [false]])('an answer, such as %j', (body) => {
    expect(nextAfter({ kind: 'answered', body })).toEqual({ kind: 'answered', body })
  })

  test('a free key where nothing was done', () => {
    expect(nextAfter({ kind: 'nothingDone' })).toMatchObject({
      isRepeat: false,
      record: { startedAt: NOW },
    })
  })

  test('the ids of before where something may have been done', () => {
    expect(nextAfter({ kind: 'interrupted' })).toMatchObject({
      isRepeat: true,
      record: { startedAt: record.startedAt },
    })
  })
})
