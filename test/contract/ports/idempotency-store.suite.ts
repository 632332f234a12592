import { beforeEach, expect, test } from 'vitest'

import type { IdempotencyRecord } from '#shared/domain/idempotency.ts'
import type { IdempotencyStore } from '#shared/ports/idempotency-store.ts'

import { AWKWARD_TEXTS, incompressible, next, NOON } from './sample-records.ts'

const claimed: IdempotencyRecord = {
  id: 'a'.repeat(64),
  version: 1,
  fingerprint: 'f',
  isSecret: false,
  startedAt: NOON,
  claimedUntil: NOON + 30_000,
  expiresAt: NOON + 86_400_000,
  answer: null,
}

export function idempotencyStoreSuite(open: () => Promise<IdempotencyStore>): void {
  let store: IdempotencyStore
  beforeEach(async () => {
    store = await open()
  })

  test('a request is claimed once, however many ask', async () => {
    expect(await store.find(claimed.id)).toBeNull()
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.save({ before: null, after: { ...claimed, fingerprint: `${index}` } }),
      ),
    )
    expect(claims.filter(({ kind }) => kind === 'saved')).toHaveLength(1)
    const winner = claims.findIndex(({ kind }) => kind === 'saved')
    expect((await store.find(claimed.id))?.fingerprint).toBe(`${winner}`)
  })

  test.each([
    ['empty', {}],
    ['null', null],
    ['awkward', { ...AWKWARD_TEXTS, deep: [[{ big: 2 ** 60, tiny: 5e-324 }]] }],
    ['large', { text: incompressible(300_000) }],
  ])('an answer that is %s is read as it was given', async (_, body) => {
    await store.save({ before: null, after: claimed })
    const answered = next(claimed, { answer: { body } })
    expect(await store.save({ before: claimed, after: answered })).toEqual({ kind: 'saved' })
    expect(await store.find(claimed.id)).toEqual(answered)
  })

  test('an answer with a secret is read as it was given', async () => {
    const secret = { ...claimed, isSecret: true }
    await store.save({ before: null, after: secret })
    const answered = next(secret, { answer: { body: { key: 'vak_live_secret' } } })
    await store.save({ before: secret, after: answered })
    expect(await store.find(claimed.id)).toEqual(answered)
  })

  test('a claim that was taken over cannot be settled by who had it before', async () => {
    await store.save({ before: null, after: claimed })
    const takenOver = next(claimed, { claimedUntil: NOON + 60_000 })
    await store.save({ before: claimed, after: takenOver })
    const late = next(claimed, { answer: { body: 1 } })
    expect(await store.save({ before: claimed, after: late })).toEqual({ kind: 'conflict' })
    expect(await store.find(claimed.id)).toEqual(takenOver)
  })

  test('records do not share', async () => {
    await store.save({ before: null, after: claimed })
    expect(await store.find('b'.repeat(64))).toBeNull()
  })
}
