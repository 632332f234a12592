import { beforeEach, expect, test } from 'vitest'

import type { ApiKey } from '#shared/domain/organization.ts'
import type { OrganizationStore } from '#shared/ports/organization-store.ts'

import { NOON, sampleOrganization } from './sample-records.ts'

/** Several keys of an organization, and its users. */
export function apiKeysSuite(open: () => Promise<OrganizationStore>): void {
  let organizations: OrganizationStore
  const { apiKey: firstKey, user } = sampleOrganization()
  beforeEach(async () => {
    organizations = await open()
    await organizations.bootstrap(sampleOrganization())
  })

  const key = (id: string, changes: Partial<ApiKey> = {}): ApiKey => ({
    ...firstKey,
    id,
    hash: `hash of ${id}`,
    ...changes,
  })

  test('a key is found by hash and by id, of its organization only', async () => {
    const second = key('key_2', { expiresAt: NOON, scopes: ['calls:read'] })
    expect(await organizations.addApiKey(second)).toBe(true)
    expect(await organizations.findApiKey(second.hash)).toEqual(second)
    expect(await organizations.findApiKeyById('org_1', 'key_2')).toEqual(second)
    expect(await organizations.findApiKeyById('org_1', 'key_1')).toEqual(firstKey)
    expect(await organizations.findApiKeyById('org_2', 'key_2')).toBeNull()
  })

  test('neither a key nor an id is given twice', async () => {
    await organizations.addApiKey(key('key_2'))
    expect(await organizations.addApiKey(key('key_2', { hash: 'other' }))).toBe(false)
    expect(await organizations.addApiKey(key('key_3', { hash: 'hash of key_2' }))).toBe(false)
    expect(await organizations.findApiKey('other')).toBeNull()
    expect(await organizations.findApiKeyById('org_1', 'key_3')).toBeNull()
  })

  test('changes at the same time do not undo one another', async () => {
    await Promise.all([
      organizations.changeApiKey(firstKey.hash, { revokedAt: NOON }),
      organizations.changeApiKey(firstKey.hash, { lastUsedAt: NOON + 1 }),
      organizations.changeApiKey(firstKey.hash, { expiresAt: NOON + 2 }),
    ])
    expect(await organizations.findApiKey(firstKey.hash)).toEqual({
      ...firstKey,
      revokedAt: NOON,
      lastUsedAt: NOON + 1,
      expiresAt: NOON + 2,
    })
  })

  test('a change of an unknown key creates none', async () => {
    await organizations.changeApiKey('unknown', { revokedAt: NOON })
    expect(await organizations.findApiKey('unknown')).toBeNull()
  })

  test('pages show every key once, newest first, as it is now', async () => {
    for (const id of ['key_2', 'key_3', 'key_4']) await organizations.addApiKey(key(id))
    await organizations.addApiKey(key('key_9', { organizationId: 'org_2' }))
    await organizations.changeApiKey('hash of key_3', { revokedAt: NOON })
    const first = await organizations.listApiKeys('org_1', { limit: 3, cursor: null })
    expect(first.records.map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
      ['key_4', null],
      ['key_3', NOON],
      ['key_2', null],
    ])
    const rest = await organizations.listApiKeys('org_1', { limit: 3, cursor: first.nextCursor })
    expect([rest.records.map(({ id }) => id), rest.nextCursor]).toEqual([['key_1'], null])
  })

  test('a user is replaced', async () => {
    const changed = { ...user, hasCompletedOnboarding: true, updatedAt: NOON + 1 }
    await organizations.saveUser(changed)
    expect(await organizations.findUser('org_1', 'user_1')).toEqual(changed)
    expect(await organizations.findUser('org_2', 'user_1')).toBeNull()
  })
}
