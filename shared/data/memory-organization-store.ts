import type { ApiKey, Organization, User } from '#shared/domain/organization.ts'
import type { OrganizationStore } from '#shared/ports/organization-store.ts'

import { frozenCopy } from './frozen-copy.ts'

/** The organization store in memory. */
export function memoryOrganizationStore(): OrganizationStore {
  const organizations = new Map<string, Organization>()
  const users = new Map<string, User>()
  /** By hash. */
  const apiKeys = new Map<string, ApiKey>()
  const keysOf = (organizationId: string) =>
    [...apiKeys.values()].filter((apiKey) => apiKey.organizationId === organizationId)
  const findById = (organizationId: string, keyId: string) =>
    keysOf(organizationId).find(({ id }) => id === keyId) ?? null
  const isNew = ({ hash, organizationId, id }: ApiKey) =>
    !apiKeys.has(hash) && findById(organizationId, id) === null
  return {
    findOrganization: async (organizationId) => organizations.get(organizationId) ?? null,
    findUser: async (organizationId, userId) => users.get(`${organizationId}#${userId}`) ?? null,
    saveUser: async (user) => {
      users.set(`${user.organizationId}#${user.id}`, frozenCopy(user))
    },
    findApiKey: async (hash) => apiKeys.get(hash) ?? null,
    findApiKeyById: async (organizationId, keyId) => findById(organizationId, keyId),
    listApiKeys: async (organizationId, { limit, cursor }) => {
      const found = keysOf(organizationId)
        .filter(({ id }) => cursor === null || id < cursor)
        .sort((one, other) => (one.id > other.id ? -1 : 1))
      const records = found.slice(0, limit)
      return { records, nextCursor: found.length > limit ? (records.at(-1)?.id ?? null) : null }
    },
    addApiKey: async (apiKey) => {
      if (!isNew(apiKey)) return false
      apiKeys.set(apiKey.hash, frozenCopy(apiKey))
      return true
    },
    changeApiKey: async (hash, change) => {
      const apiKey = apiKeys.get(hash)
      if (apiKey !== undefined) apiKeys.set(hash, frozenCopy({ ...apiKey, ...change }))
    },
    bootstrap: async ({ organization, user, apiKey }) => {
      const userKey = `${organization.id}#${user.id}`
      if (organizations.has(organization.id) || users.has(userKey) || !isNew(apiKey)) return false
      organizations.set(organization.id, frozenCopy(organization))
      users.set(userKey, frozenCopy(user))
      apiKeys.set(apiKey.hash, frozenCopy(apiKey))
      return true
    },
  }
}
