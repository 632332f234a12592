import { beforeEach, expect, test } from 'vitest'

import type { WebhookStore } from '#shared/ports/webhook-store.ts'

import { incompressible, next, NOON, sampleDelivery } from './sample-records.ts'

export function webhookStoreSuite(open: () => Promise<WebhookStore>): void {
  let webhooks: WebhookStore
  beforeEach(async () => {
    webhooks = await open()
  })

  test.each([
    ['short', sampleDelivery()],
    ['empty', sampleDelivery({ body: '' })],
    ['longer than an item', sampleDelivery({ body: incompressible(1_500_000) })],
  ])('a delivery with a body that is %s is read byte for byte', async (_, delivery) => {
    expect(await webhooks.find('evt_1')).toBeNull()
    expect(await webhooks.save({ before: null, after: delivery })).toEqual({ kind: 'saved' })
    expect(await webhooks.find('evt_1')).toEqual(delivery)
  })

  test('a delivery is created once, however many prepare it', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        webhooks.save({ before: null, after: sampleDelivery({ body: `body ${index}` }) }),
      ),
    )
    expect(results.filter(({ kind }) => kind === 'saved')).toHaveLength(1)
    const winner = results.findIndex(({ kind }) => kind === 'saved')
    expect((await webhooks.find('evt_1'))?.body).toBe(`body ${winner}`)
  })

  test('a try is claimed by one worker, and the body stays', async () => {
    const delivery = sampleDelivery()
    await webhooks.save({ before: null, after: delivery })
    const claimed = next(delivery, { dueAt: NOON + 60_000 })
    const claims = await Promise.all(
      [1, 2, 3].map(() => webhooks.save({ before: delivery, after: claimed })),
    )
    expect(claims.filter(({ kind }) => kind === 'saved')).toHaveLength(1)
    expect(await webhooks.find('evt_1')).toEqual(claimed)
  })

  test('pending ones that are due are listed earliest first', async () => {
    const dueAts = { evt_a: NOON + 2, evt_b: NOON, evt_c: NOON + 1, evt_d: null }
    for (const [id, dueAt] of Object.entries(dueAts)) {
      await webhooks.save({ before: null, after: sampleDelivery({ id, dueAt }) })
    }
    expect(await webhooks.listDue(NOON + 1, 10)).toEqual(['evt_b', 'evt_c'])
    expect(await webhooks.listDue(NOON + 9, 2)).toEqual(['evt_b', 'evt_c'])
    const pending = sampleDelivery({ id: 'evt_b' })
    for (const [status, dueAt] of [['delivered', null]] as const) {
      await webhooks.save({ before: pending, after: next(pending, { status, dueAt }) })
    }
    expect(await webhooks.listDue(NOON + 1, 10)).toEqual(['evt_c'])
    const failed = next(sampleDelivery({ id: 'evt_c' }), { status: 'failed' })
    await webhooks.save({ before: sampleDelivery({ id: 'evt_c' }), after: failed })
    expect(await webhooks.listDue(NOON + 9, 10)).toEqual(['evt_a'])
  })
}
