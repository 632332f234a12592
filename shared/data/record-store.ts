import type { Change } from '#shared/ports/change.ts'
import type { OwnedRecord, RecordStore } from '#shared/ports/record-store.ts'
import type { SecretBox } from '#shared/ports/secret-box.ts'

import {
  deleteIfThere,
  getItem,
  queryRange,
  setIfVersion,
  transact,
  type DynamoTable,
  type Item,
  type Write,
} from './dynamo-table.ts'
import { pack, unpack, type Packed } from './stored-record.ts'
import { ownedKeys, type OwnedKind } from './table.ts'

/** How a record becomes what is stored of it. */
export interface RecordForm<T> {
  readonly pack: (record: T) => Promise<Packed>
  readonly unpack: (packed: Packed, owner: Pick<OwnedRecord, 'organizationId' | 'id'>) => Promise<T>
}

/** JSON as everything else. */
export const plainForm = { pack, unpack }

/** JSON that nobody can read who has only the table. */
export function sealedForm<T extends Pick<OwnedRecord, 'organizationId' | 'id'>>(
  secretBox: SecretBox,
): RecordForm<T> {
  const contextOf = ({ organizationId, id }: Pick<OwnedRecord, 'organizationId' | 'id'>) =>
    `${organizationId}#${id}`
  return {
    pack: (record) => secretBox.seal(JSON.stringify(record), contextOf(record)),
    unpack: async (packed, owner) =>
      JSON.parse(await secretBox.open(packed as Uint8Array, contextOf(owner))) as T,
  }
}

/** Small records of organizations on DynamoDB, one item each. */
export function dynamoRecordStore<T extends OwnedRecord>(
  table: DynamoTable,
  kind: OwnedKind,
  form: RecordForm<T> = plainForm,
): RecordStore<T> {
  const recordFrom = (organizationId: string) => (item: Item) =>
    form.unpack(item['record'] as Packed, { organizationId, id: item['id'] as string })
  return {
    find: async (organizationId, id) => {
      const item = await getItem(table, ownedKeys.record(organizationId, kind, id))
      return item === null ? null : recordFrom(organizationId)(item)
    },
    list: async (organizationId, { limit, cursor }) => {
      const items = await queryRange(table, ownedKeys.upTo(organizationId, kind, cursor), {
        descending: true,
        limit: limit + 1,
        filter: { expression: 'id <> :cursor', values: { ':cursor': cursor ?? '' } },
      })
      const shown = items.slice(0, limit)
      return {
        records: await Promise.all(shown.map(recordFrom(organizationId))),
        nextCursor: items.length > limit ? String(shown.at(-1)?.['id']) : null,
      }
    },
    save: async (change) => transact(table, [await recordWrite(kind, change, form)]),
    remove: (organizationId, id) =>
      deleteIfThere(table, ownedKeys.record(organizationId, kind, id)),
  }
}

/** The write that stores a record if its version is still that of `before`. */
export async function recordWrite<T extends OwnedRecord>(
  kind: OwnedKind,
  { before, after }: Change<T>,
  form: RecordForm<T> = plainForm,
): Promise<Write> {
  const { organizationId, id, version } = after
  const item = { id, version, record: await form.pack(after) }
  return setIfVersion(ownedKeys.record(organizationId, kind, id), item, before)
}
