import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'

import type { Change, SaveResult } from './change.ts'

export interface WebhookStore {
  find(deliveryId: string): Promise<WebhookDelivery | null>
  /** `before: null` stores it once: a second creation under the same id is a conflict. */
  save(change: Change<WebhookDelivery>): Promise<SaveResult>
  /** Pending deliveries whose next try is due, earliest first. */
  listDue(now: number, limit: number): Promise<string[]>
}
