import { createHash } from 'node:crypto'

import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Campaign, RowStats } from '#shared/domain/campaign/campaign.ts'
import { rowIds } from '#shared/domain/campaign/row-ids.ts'
import { addRowStats, NO_ROWS, rowStatsDelta } from '#shared/domain/campaign/row-stats.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { createAssistant } from '#shared/use-cases/create-assistant.ts'
import { createCampaign, type CreateCampaignInput } from '#shared/use-cases/create-campaign.ts'
import { hasWork } from '#shared/use-cases/settle-campaign.ts'
import { workOnCampaign, type WorkPorts } from '#shared/use-cases/work-on-campaign.ts'

import { ALWAYS } from './an-order.ts'
import { assistantSettings } from './assistant-settings.ts'

export const hash = (text: string): Uint8Array => createHash('sha256').update(text).digest()

const ORGANIZATION = 'org_1'
const OWNER = {
  organization: {
    id: ORGANIZATION,
    name: 'Test',
    maxConcurrentCalls: 50 as number,
    defaultFromPhoneNumber: '+12025550199',
    webhookSecrets: [],
    createdAt: 0,
  },
  user: {
    id: 'user_1',
    organizationId: ORGANIZATION,
    email: 'a@b.test',
    firstName: '',
    lastName: '',
    hasCompletedOnboarding: false,
    createdAt: 0,
    updatedAt: 0,
  },
  apiKey: {
    id: 'key_1',
    organizationId: ORGANIZATION,
    userId: 'user_1',
    name: '',
    hash: 'h',
    hint: 'last',
    mode: 'test',
    scopes: ['*'],
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  },
} as const

export const numberOf = (index: number): string => `+1202555${String(1_000 + index)}`

/** An organization that runs campaigns through the use cases, in the given ports. */
export async function campaignStage(
  ports: ServicePorts | (WorkPorts & Pick<ServicePorts, 'ids'>),
  { maxConcurrentCalls = OWNER.organization.maxConcurrentCalls } = {},
) {
  const organization = { ...OWNER.organization, maxConcurrentCalls }
  await ports.organizations.bootstrap({ ...OWNER, organization })
  const { name: _, ...settings } = assistantSettings({ callRetryConfig: ALWAYS })
  const assistant = await createAssistant(ports, {
    organizationId: ORGANIZATION,
    userId: 'user_1',
    settings: { name: 'Ava', ...settings },
    faqItems: [],
  })
  const orderIdOf = (campaignId: string, index: number) => rowIds(hash, campaignId, index).orderId

  return {
    assistantId: assistant.id,
    orderIdOf,
    /** A campaign of so many contacts, not imported yet. */
    async create(count: number, changes: Partial<CreateCampaignInput> = {}): Promise<Campaign> {
      const result = await createCampaign(ports, {
        organizationId: ORGANIZATION,
        isTest: true,
        assistantId: assistant.id,
        name: 'Spring',
        contacts: {
          kind: 'inline',
          contacts: Array.from({ length: count }, (_unused, index) => ({
            toPhoneNumber: numberOf(index),
            promptVariables: { first_name: `Person ${index}` },
          })),
        },
        callRetryConfig: null,
        fromPhoneNumber: null,
        maxConcurrentCalls: null,
        scheduledAt: null,
        ...changes,
      })
      if (result.kind === 'refused') throw new Error(result.reason)
      return result.campaign
    },
    /** Plays the import queue until nothing is left to do. */
    async work(campaignId: string): Promise<void> {
      for (;;) {
        const campaign = await ports.campaigns.find(campaignId)
        if (campaign === null || !hasWork(campaign)) return
        await workOnCampaign(ports, { campaignId, hash })
      }
    },
    async campaign(campaignId: string): Promise<Campaign> {
      const campaign = await ports.campaigns.find(campaignId)
      if (campaign === null) throw new Error('no campaign')
      return campaign
    },
    /** The orders of the first rows. */
    orders: (campaignId: string, count: number): Promise<CallOrder[]> =>
      ports.calls.findOrders(
        Array.from({ length: count }, (_unused, index) => orderIdOf(campaignId, index)),
      ),
  }
}

/** The row counters as they follow from the orders. */
export function recount(orders: readonly CallOrder[]): RowStats {
  return orders.map((order) => rowStatsDelta(null, order)).reduce(addRowStats, NO_ROWS)
}
