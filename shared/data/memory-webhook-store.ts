import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'
import type { WebhookStore } from '#shared/ports/webhook-store.ts'

import { frozenCopy } from './frozen-copy.ts'
import { earliest } from './memory-timeline.ts'

/** The webhook store in memory. */
export function memoryWebhookStore(): WebhookStore {
  const deliveries = new Map<string, WebhookDelivery>()
  return {
    find: async (deliveryId) => deliveries.get(deliveryId) ?? null,
    save: async ({ before, after }) => {
      if (deliveries.get(after.id)?.version !== before?.version) return { kind: 'conflict' }
      deliveries.set(after.id, frozenCopy(after))
      return { kind: 'saved' }
    },
    listDue: async (now, limit) => {
      const pending = [...deliveries.values()]
        .filter(({ status }) => status === 'pending')
        .map((delivery) => ({ at: delivery.dueAt, id: delivery.id, value: delivery }))
      return earliest(pending, now, limit).map(({ id }) => id)
    },
  }
}
