import { expect, test } from 'vitest'

import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'
import type { WebhookEndpoint } from '#shared/domain/webhook-endpoint.ts'
import { announceCall } from '#shared/use-cases/announce-call.ts'
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts'
import { anOrder, NOON } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

function endpoint(id: string, changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id,
    organizationId: 'org_1',
    version: 1,
    url: `https://example.com/${id}`,
    description: null,
    eventKinds: ['call.scheduled', 'call.completed'],
    isEnabled: true,
    createdAt: NOON,
    updatedAt: NOON,
    ...changes,
  }
}

async function announce(webhookUrl: string | null, endpoints: readonly WebhookEndpoint[]) {
  const stage = useCasePorts(NOON)
  const { ports, world } = stage
  const settings = assistantSettings({ webhookUrl })
  const order = anOrder({ status: 'completed', assistant: { kind: 'inline', settings } })
  await ports.calls.save({ order: { before: null, after: order }, effects: [] })
  for (const after of endpoints) await ports.webhookEndpoints.save({ before: null, after })
  const input = { orderId: order.id, event: 'call.completed' } as const
  const prepare = () => announceCall(ports, input, ({ id, type }) => JSON.stringify({ id, type }))
  await prepare()
  await prepare()
  const ids = await ports.webhooks.listDue(NOON, 100)
  const deliveries = await Promise.all(ids.map((id) => ports.webhooks.find(id)))
  const asked = new Set(world.sent.map(({ message }) => JSON.stringify(message)))
  return { ...stage, ids, deliveries, asked }
}

test('everyone who asks for the event is told once, under an id of their own', async () => {
  const { deliveries, asked } = await announce('https://example.com/own', [
    endpoint('whep_1'),
    endpoint('whep_2'),
    endpoint('whep_3', { isEnabled: false }),
    endpoint('whep_4', { eventKinds: ['call.started'] }),
    endpoint('whep_5', { organizationId: 'org_2' }),
  ])
  const own = 'evt_call_completed_call_1'
  expect(deliveries.map((delivery) => [delivery?.id, delivery?.url, delivery?.body])).toEqual(
    [
      [own, 'https://example.com/own'],
      [`${own}_whep_1`, 'https://example.com/whep_1'],
      [`${own}_whep_2`, 'https://example.com/whep_2'],
    ].map(([id, url]) => [id, url, JSON.stringify({ id, type: 'call.completed' })]),
  )
  expect(asked.size).toBe(3)
})

test('endpoints are told without a webhook_url too, and nobody without either', async () => {
  const { deliveries } = await announce(null, [endpoint('whep_1')])
  expect(deliveries.map((delivery) => delivery?.url)).toEqual(['https://example.com/whep_1'])
  expect((await announce(null, [])).deliveries).toEqual([])
})

test('an endpoint that answers 410 is disabled and told of nothing more; others go on', async () => {
  const endpoints = [endpoint('whep_1'), endpoint('whep_2')]
  const { ports, world, ids } = await announce('https://example.com/own', endpoints)
  const gone = ids.find((id) => id.endsWith('whep_1')) ?? ''
  const next = { ...(await delivery(gone)), id: 'evt_next', version: 1 }
  await ports.webhooks.save({ before: null, after: next })
  world.webhookStatus = [410]
  await deliverWebhook(ports, gone)
  expect(await ports.webhookEndpoints.find('org_1', 'whep_1')).toEqual(
    endpoint('whep_1', { version: 2, isEnabled: false }),
  )
  await deliverWebhook(ports, 'evt_next')
  for (const id of ids) await deliverWebhook(ports, id)
  expect(world.posted.map(({ url }) => url)).toEqual([
    'https://example.com/whep_1',
    'https://example.com/own',
    'https://example.com/whep_2',
  ])
  expect(
    await Promise.all([...ids, 'evt_next'].map(async (id) => (await delivery(id)).status)),
  ).toEqual(['delivered', 'disabled', 'delivered', 'disabled'])

  async function delivery(id: string): Promise<WebhookDelivery> {
    const found = await ports.webhooks.find(id)
    if (found === null) throw new Error(`no ${id}`)
    return found
  }
})

test('an endpoint that is gone is told of nothing, and an assistant without one stays as it is', async () => {
  const { ports, world, ids } = await announce('https://example.com/own', [endpoint('whep_1')])
  await ports.webhookEndpoints.remove('org_1', 'whep_1')
  world.webhookStatus = [410]
  for (const id of ids) await deliverWebhook(ports, id)
  expect(world.posted.map(({ url }) => url)).toEqual(['https://example.com/own'])
})
