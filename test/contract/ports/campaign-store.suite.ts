import { beforeEach, describe, expect, test } from 'vitest'

import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import type { Stores } from '#shared/ports/service-ports.ts'
import { aCampaign } from '#test/support/a-campaign.ts'

import { AWKWARD_TEXTS, incompressible, next } from './sample-records.ts'

type CampaignStores = Pick<Stores, 'campaigns' | 'calls'>

export function campaignStoreSuite(open: () => Promise<CampaignStores>): void {
  let stores: CampaignStores
  beforeEach(async () => {
    stores = await open()
  })

  const create = async (changes: Partial<Campaign> = {}): Promise<Campaign> => {
    const campaign = aCampaign(changes)
    const saved = await stores.campaigns.save({ before: null, after: campaign })
    expect(saved).toEqual({ kind: 'saved' })
    return campaign
  }
  const page = (limit: number, cursor: string | null = null, organizationId = 'org_1') =>
    stores.campaigns.list(organizationId, { limit, cursor })

  test('nothing is found before anything is stored', async () => {
    expect(await stores.campaigns.find('camp_1')).toBeNull()
    expect(await page(10)).toEqual({ campaigns: [], nextCursor: null })
  })

  test('a campaign is read as it was stored, and known to the sweep', async () => {
    const campaign = await create({
      name: Object.values(AWKWARD_TEXTS).join('') + incompressible(10_000),
      maxConcurrentCalls: 3,
      scheduledAt: 0,
    })
    expect(await stores.campaigns.find('camp_1')).toEqual(campaign)
    expect(await stores.calls.listScopes()).toEqual(['CMP#camp_1'])
  })

  test('the first of two changes wins', async () => {
    const campaign = await create()
    const conflict = { kind: 'conflict' }
    const running = next(campaign, { status: 'running' })
    expect(await stores.campaigns.save({ before: null, after: campaign })).toEqual(conflict)
    expect(await stores.campaigns.save({ before: campaign, after: running })).toEqual({
      kind: 'saved',
    })
    const late = { before: campaign, after: next(campaign, { status: 'paused' }) }
    expect(await stores.campaigns.save(late)).toEqual(conflict)
    expect(await stores.campaigns.find('camp_1')).toEqual(running)
  })

  test('its scope stays forgotten until its rows have to follow a change', async () => {
    const campaign = await create()
    await stores.calls.unregisterScope('CMP#camp_1')
    await stores.calls.unregisterScope('CMP#camp_1')
    const renamed = next(campaign, { name: 'Summer' })
    await stores.campaigns.save({ before: campaign, after: renamed })
    expect(await stores.calls.listScopes()).toEqual([])
    const deleted = next(renamed, { deletedAt: 1, rowsToFollow: 0 })
    await stores.campaigns.save({ before: renamed, after: deleted })
    expect(await stores.calls.listScopes()).toEqual(['CMP#camp_1'])
  })

  test('lists are newest first, of one organization, page by page', async () => {
    for (const id of ['camp_2', 'camp_4', 'camp_1', 'camp_3']) await create({ id })
    await create({ id: 'camp_5', organizationId: 'org_2' })
    const ids = ({ campaigns }: { campaigns: Campaign[] }) => campaigns.map(({ id }) => id)
    const first = await page(3)
    expect([ids(first), first.nextCursor]).toEqual([['camp_4', 'camp_3', 'camp_2'], 'camp_2'])
    const second = await page(3, first.nextCursor)
    expect([ids(second), second.nextCursor]).toEqual([['camp_1'], null])
    expect(ids(await page(4))).toHaveLength(4)
    expect(ids(await page(10, null, 'org_2'))).toEqual(['camp_5'])
  })

  test('a deleted one is not listed, and still found until it is erased', async () => {
    const campaign = await create()
    const deleted = next(campaign, { deletedAt: 1 })
    await stores.campaigns.save({ before: campaign, after: deleted })
    expect((await page(10)).campaigns).toEqual([])
    expect(await stores.campaigns.find('camp_1')).toEqual(deleted)
    await stores.campaigns.erase('camp_1')
    await stores.campaigns.erase('camp_1')
    expect(await stores.campaigns.find('camp_1')).toBeNull()
  })

  describe('visual numbers', () => {
    test('count from 1, each once, for each campaign', async () => {
      const numbers = await Promise.all(
        Array.from({ length: 20 }, () => stores.campaigns.nextVisualNumber('camp_1')),
      )
      const ascending = numbers.toSorted((one, other) => one - other)
      expect(ascending).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      expect(await stores.campaigns.nextVisualNumber('camp_2')).toBe(1)
    })
  })
}
