import { beforeEach, expect, test } from 'vitest'

import type { OrganizationStore } from '#shared/ports/organization-store.ts'

import { sampleOrganization } from './sample-records.ts'

export function organizationStoreSuite(open: () => Promise<OrganizationStore>): void {
  let organizations: OrganizationStore
  beforeEach(async () => {
    organizations = await open()
  })

  test('organization, user and key are created together and read as stored', async () => {
    const records = sampleOrganization()
    expect(await organizations.bootstrap(records)).toBe(true)
    expect(await organizations.findOrganization('org_1')).toEqual(records.organization)
    expect(await organizations.findUser('org_1', 'user_1')).toEqual(records.user)
    expect(await organizations.findApiKey('hash-of-org_1')).toEqual(records.apiKey)
  })

  test('nothing is found before, nor by another organization', async () => {
    expect(await organizations.findOrganization('org_1')).toBeNull()
    expect(await organizations.findApiKey('hash-of-org_1')).toBeNull()
    await organizations.bootstrap(sampleOrganization())
    expect(await organizations.findUser('org_2', 'user_1')).toBeNull()
  })

  test('an organization is created once', async () => {
    const records = sampleOrganization()
    const results = await Promise.all([
      organizations.bootstrap(records),
      organizations.bootstrap(records),
      organizations.bootstrap(records),
    ])
    expect(results.filter(Boolean)).toHaveLength(1)
    const other = { ...records, user: { ...records.user, id: 'user_2' } }
    expect(await organizations.bootstrap(other)).toBe(false)
    expect(await organizations.findUser('org_1', 'user_2')).toBeNull()
  })

  test('a key is never taken over by another organization', async () => {
    const first = sampleOrganization('org_1')
    const second = sampleOrganization('org_2')
    const thief = { ...second, apiKey: { ...second.apiKey, hash: first.apiKey.hash } }
    expect(await organizations.bootstrap(first)).toBe(true)
    expect(await organizations.bootstrap(thief)).toBe(false)
    expect((await organizations.findApiKey(first.apiKey.hash))?.organizationId).toBe('org_1')
    expect(await organizations.findOrganization('org_2')).toBeNull()
  })
}
