import type { ApiKey, Organization, User } from '#shared/domain/organization.ts'
import type { OrganizationStore } from '#shared/ports/organization-store.ts'

import {
  create,
  getItem,
  putItem,
  queryRange,
  transact,
  updateIf,
  type DynamoTable,
  type Write,
} from './dynamo-table.ts'
import { attributesOf } from './stored-record.ts'
import { organizationKeys, ownedKeys, type ItemKey } from './table.ts'

/** The organization store on DynamoDB. A key stands under its hash, and its id points there. */
export function dynamoOrganizationStore(table: DynamoTable): OrganizationStore {
  const find = async <T>(key: ItemKey): Promise<T | null> => {
    const item = await getItem(table, key)
    return item === null ? null : (attributesOf(item) as T)
  }
  const findApiKey = (hash: string) => find<ApiKey>(organizationKeys.apiKey(hash))
  return {
    findOrganization: (organizationId) =>
      find<Organization>(organizationKeys.organization(organizationId)),
    findUser: (organizationId, userId) => find<User>(organizationKeys.user(organizationId, userId)),
    saveUser: (user) =>
      putItem(table, { ...organizationKeys.user(user.organizationId, user.id), ...user }),
    findApiKey,
    findApiKeyById: async (organizationId, keyId) => {
      const pointer = await getItem(table, ownedKeys.record(organizationId, 'KEY', keyId))
      return pointer === null ? null : findApiKey(pointer['hash'] as string)
    },
    listApiKeys: async (organizationId, { limit, cursor }) => {
      const pointers = await queryRange(table, ownedKeys.upTo(organizationId, 'KEY', cursor), {
        descending: true,
        limit: limit + 1,
        filter: { expression: 'id <> :cursor', values: { ':cursor': cursor ?? '' } },
      })
      const shown = pointers.slice(0, limit)
      const found = await Promise.all(shown.map(({ hash }) => findApiKey(hash as string)))
      return {
        records: found.filter((apiKey) => apiKey !== null),
        nextCursor: pointers.length > limit ? String(shown.at(-1)?.['id']) : null,
      }
    },
    addApiKey: async (apiKey) => (await transact(table, newApiKeyWrites(apiKey))).kind === 'saved',
    changeApiKey: async (hash, change) => {
      const names = Object.keys(change)
      await updateIf(table, {
        key: organizationKeys.apiKey(hash),
        update: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        condition: 'attribute_exists(pk)',
        names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        values: Object.fromEntries(Object.entries(change).map(([name, at]) => [`:${name}`, at])),
      })
    },
    bootstrap: async ({ organization, user, apiKey }) => {
      const result = await transact(table, [
        create({ ...organizationKeys.organization(organization.id), ...organization }),
        create({ ...organizationKeys.user(organization.id, user.id), ...user }),
        ...newApiKeyWrites(apiKey),
      ])
      return result.kind === 'saved'
    },
  }
}

function newApiKeyWrites(apiKey: ApiKey): Write[] {
  const { id, organizationId, hash } = apiKey
  return [
    create({ ...organizationKeys.apiKey(hash), ...apiKey }),
    create({ ...ownedKeys.record(organizationId, 'KEY', id), id, hash }),
  ]
}
