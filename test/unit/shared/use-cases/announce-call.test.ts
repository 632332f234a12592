import { expect, test } from 'vitest'

import type { WebhookEndpoint } from '#shared/domain/webhook-endpoint.ts'
import { announceCall } from '#shared/use-cases/announce-call.ts'
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
  const { ports, world } = useCasePorts(NOON)
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
  return { deliveries, asked }
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
