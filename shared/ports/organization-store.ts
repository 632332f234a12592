import type { ApiKey, Organization, User } from '#shared/domain/organization.ts'

import type { RecordPage } from './record-store.ts'

/** Organizations with their users and API keys. */
export interface OrganizationStore {
  findOrganization(organizationId: string): Promise<Organization | null>
  findUser(organizationId: string, userId: string): Promise<User | null>
  /** Replaces a user. */
  saveUser(user: User): Promise<void>
  findApiKey(hash: string): Promise<ApiKey | null>
  /** Null also for another organization's id. */
  findApiKeyById(organizationId: string, keyId: string): Promise<ApiKey | null>
  /** Newest first, with those that are revoked or expired. */
  listApiKeys(
    organizationId: string,
    page: { readonly limit: number; readonly cursor: string | null },
  ): Promise<RecordPage<ApiKey>>
  /** False when the key or its id exists. */
  addApiKey(apiKey: ApiKey): Promise<boolean>
  /** Changes only what is named, so that changes at the same time do not undo one another. */
  changeApiKey(
    hash: string,
    change: Partial<Pick<ApiKey, 'expiresAt' | 'revokedAt' | 'lastUsedAt'>>,
  ): Promise<void>
  /** Creates organization, first user and first key together; false when the organization exists. */
  bootstrap(records: { organization: Organization; user: User; apiKey: ApiKey }): Promise<boolean>
}
