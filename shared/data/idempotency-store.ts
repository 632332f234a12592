import type { IdempotencyRecord } from '#shared/domain/idempotency.ts'
import type { IdempotencyStore } from '#shared/ports/idempotency-store.ts'
import type { SecretBox } from '#shared/ports/secret-box.ts'

import { garbageIn, getItem, updateIf, type DynamoTable } from './dynamo-table.ts'
import { pack, unpack, type Packed } from './stored-record.ts'
import { idempotencyKey } from './table.ts'

/** Records are of no use once they expired, a day after they began. */
const RECORD_DAYS = 2

/**
 * The idempotency store on DynamoDB: one item each, so that a claim is one conditional write. Without
 * a secret box it throws on records that hold secrets.
 */
export function dynamoIdempotencyStore(
  table: DynamoTable,
  secretBox: SecretBox | null,
): IdempotencyStore {
  const box = (): SecretBox => {
    if (secretBox === null) throw new Error('Nothing here was to hold secrets')
    return secretBox
  }
  return {
    find: async (id) => {
      const item = await getItem(table, idempotencyKey(id))
      if (item === null) return null
      const sealed = item['sealed'] as Uint8Array | undefined
      if (sealed === undefined) return unpack<IdempotencyRecord>(item['record'] as Packed)
      return JSON.parse(await box().open(sealed, id)) as IdempotencyRecord
    },
    save: async ({ before, after }) => {
      const isSaved = await updateIf(table, {
        key: idempotencyKey(after.id),
        update: 'SET #record = :record, #version = :version, #ttl = :ttl',
        condition: before === null ? 'attribute_not_exists(pk)' : '#version = :before',
        names: {
          '#record': after.isSecret ? 'sealed' : 'record',
          '#version': 'version',
          '#ttl': 'ttl',
        },
        values: {
          ':record': after.isSecret
            ? await box().seal(JSON.stringify(after), after.id)
            : await pack(after),
          ':version': after.version,
          ':ttl': garbageIn(RECORD_DAYS),
          ...(before !== null && { ':before': before.version }),
        },
      })
      return { kind: isSaved ? 'saved' : 'conflict' }
    },
  }
}
