import { holdsSecrets, type Assistant } from '#shared/domain/assistant.ts'
import type { AssistantStore } from '#shared/ports/assistant-store.ts'
import type { SecretBox } from '#shared/ports/secret-box.ts'

import { getItem, put, queryRange, setIfVersion, transact } from './dynamo-table.ts'
import type { DynamoTable, Item } from './dynamo-table.ts'
import { pack, unpack, type Packed } from './stored-record.ts'
import { assistantKeys } from './table.ts'

/**
 * The assistant store on DynamoDB. An assistant is one item, so it must fit into 400 KB packed. One
 * that holds secrets is sealed as a whole.
 */
export function dynamoAssistantStore(table: DynamoTable, secretBox: SecretBox): AssistantStore {
  const assistantFrom = readerOf(secretBox)
  return {
    find: async (organizationId, assistantId) => {
      const item = await getItem(table, assistantKeys.current(organizationId, assistantId))
      return item === null || item['isDeleted'] === true ? null : assistantFrom(item)
    },
    findVersion: async (assistantId, version) => {
      const item = await getItem(table, assistantKeys.version(assistantId, version))
      return item === null ? null : assistantFrom(item)
    },
    save: async ({ before, after }) => {
      const { id, organizationId, version } = after
      const content = holdsSecrets(after)
        ? { sealed: await secretBox.seal(JSON.stringify(after), id), assistant: undefined }
        : { assistant: await pack(after), sealed: undefined }
      const isDeleted = after.deletedAt === null ? undefined : true
      return transact(table, [
        setIfVersion(
          assistantKeys.current(organizationId, id),
          { id, version, isDeleted, ...content },
          before,
        ),
        put({ ...assistantKeys.version(id, version), id, ...content }),
      ])
    },
    list: (organizationId, page) => list(table, assistantFrom, organizationId, page),
  }
}

type Reader = (item: Item) => Promise<Assistant>

function readerOf(secretBox: SecretBox): Reader {
  return async (item) => {
    const sealed = item['sealed'] as Uint8Array | undefined
    if (sealed === undefined) return unpack(item['assistant'] as Packed)
    return JSON.parse(await secretBox.open(sealed, item['id'] as string)) as Assistant
  }
}

/**
 * Newest first, because ids sort by the time they were made. The cursor is the last id shown; the
 * organization is never taken from it.
 */
async function list(
  table: DynamoTable,
  assistantFrom: Reader,
  organizationId: string,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<{ assistants: Assistant[]; nextCursor: string | null }> {
  const items = await queryRange(table, assistantKeys.upTo(organizationId, cursor), {
    descending: true,
    limit: limit + 1,
    filter: {
      expression: 'attribute_not_exists(isDeleted) AND id <> :cursor',
      values: { ':cursor': cursor ?? '' },
    },
  })
  const shown = items.slice(0, limit)
  return {
    assistants: await Promise.all(shown.map(assistantFrom)),
    nextCursor: items.length > limit ? String(shown.at(-1)?.['id']) : null,
  }
}
