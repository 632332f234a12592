import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'
import type { WebhookStore } from '#shared/ports/webhook-store.ts'

import { queryRange, queryTimeline, transact, type DynamoTable } from './dynamo-table.ts'
import { timelines, webhookIndexKeys } from './index-keys.ts'
import { readRecord, readUntorn, recordWrites, TORN } from './stored-record.ts'
import { webhookKeys } from './table.ts'

/** The webhook store on DynamoDB. */
export function dynamoWebhookStore(table: DynamoTable): WebhookStore {
  return {
    find: (deliveryId) =>
      readUntorn(async () => {
        const items = await queryRange(table, webhookKeys.delivery(deliveryId))
        const record = await readRecord<string>(items)
        if (record === null || record === TORN) return record
        return { ...record.head, body: record.document } as WebhookDelivery
      }),
    save: async ({ before, after }) => {
      const { body, ...head } = after
      const writes = await recordWrites({
        before,
        version: after.version,
        key: webhookKeys.head(after.id),
        indexKeys: webhookIndexKeys(after),
        head,
        documentKey: webhookKeys.document(after.id),
        ...(before?.body !== body && { document: body }),
      })
      return transact(table, writes)
    },
    listDue: async (now, limit) => {
      const items = await queryTimeline(table, timelines.webhooks, { before: now + 1, limit })
      return items.map(({ id }) => id as string)
    },
  }
}
