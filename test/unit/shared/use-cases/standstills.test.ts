import { beforeEach, describe, expect, it } from 'vitest'

import { deleteCampaign, pauseCampaign, resumeCampaign } from '#shared/use-cases/change-campaign.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { campaignStage, hash } from '#test/support/campaign-stage.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')

let ports: ReturnType<typeof useCasePorts>['ports']
let stage: Awaited<ReturnType<typeof campaignStage>>
beforeEach(async () => {
  ;({ ports } = useCasePorts(NOW))
  stage = await campaignStage(ports)
})

const target = (campaignId: string) => ({ organizationId: 'org_1', campaignId })
const statuses = async (campaignId: string, count: number) =>
  (await stage.orders(campaignId, count)).map(({ status }) => status)

/** A store as a process has it that stands still, once, right before what it does. */
function stillStanding<T extends object>(
  store: T,
  method: keyof T & string,
  meanwhile: () => Promise<unknown>,
): T {
  let others: (() => Promise<unknown>) | null = meanwhile
  return new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as (...args: unknown[]) => unknown
      if (name !== method) return member
      return async (...args: unknown[]) => {
        const work = others
        others = null
        await work?.()
        return member.apply(target, args)
      }
    },
  })
}

describe('a step that stood still while others went on', () => {
  it('a pause that is followed after its campaign was resumed is taken back', async () => {
    const id = (await stage.create(3)).id
    await stage.work(id)
    await pauseCampaign(ports, target(id))
    const slow = stillStanding(ports.calls, 'findOrders', async () => {
      await resumeCampaign(ports, target(id))
      await stage.work(id)
    })
    await workOnCampaign({ ...ports, calls: slow }, { campaignId: id, hash })
    expect(await statuses(id, 3)).toEqual(['paused', 'paused', 'paused'])
    await stage.work(id)
    expect(await statuses(id, 3)).toEqual(Array(3).fill('queued_for_calling'))
  })

  it('so is one under which rows were imported', async () => {
    const { id } = await stage.create(1_200)
    await workOnCampaign(ports, { campaignId: id, hash })
    await pauseCampaign(ports, target(id))
    await workOnCampaign(ports, { campaignId: id, hash })
    await workOnCampaign(ports, { campaignId: id, hash })
    const slow = stillStanding(ports.calls, 'createOrders', async () => {
      await resumeCampaign(ports, target(id))
      await workOnCampaign(ports, { campaignId: id, hash })
      await workOnCampaign(ports, { campaignId: id, hash })
    })
    await workOnCampaign({ ...ports, calls: slow }, { campaignId: id, hash })
    await stage.work(id)
    const orders = await stage.orders(id, 1_200)
    expect(orders.filter(({ status }) => status === 'paused')).toEqual([])
  })

  it('an import whose campaign was deleted leaves no row', async () => {
    const { id } = await stage.create(3)
    const slow = stillStanding(ports.calls, 'createOrders', async () => {
      await deleteCampaign(ports, target(id))
      await stage.work(id)
    })
    await workOnCampaign({ ...ports, calls: slow }, { campaignId: id, hash })
    expect(await ports.campaigns.find(id)).toBeNull()
    expect(await stage.orders(id, 3)).toEqual([])
  })
})
