import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'
import type { WebhookStore } from '#shared/ports/webhook-store.ts'

import { frozenCopy } from './frozen-copy.ts'
import { MemoryTimeline } from './memory-timeline.ts'

/** The webhook store in memory. */
export function memoryWebhookStore(): WebhookStore {
  const deliveries = new Map<string, WebhookDelivery>()
  const due = new MemoryTimeline<string>()
  return {
    find: async (deliveryId) => deliveries.get(deliveryId) ?? null,
    save: async ({ before, after }) => {
      if (deliveries.get(after.id)?.version !== before?.version) return { kind: 'conflict' }
      deliveries.set(after.id, frozenCopy(after))
      due.set(after.id, after.status === 'pending' ? after.dueAt : null, after.id)
      return { kind: 'saved' }
    },
    listDue: async (now, limit) => due.earliest(now, limit).map(({ value }) => value),
  }
}
