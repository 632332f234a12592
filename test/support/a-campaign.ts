import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { newCampaign } from '#shared/domain/campaign/decide.ts'

import { NOON } from './an-order.ts'

/** A new campaign without contacts, with changes. */
export function aCampaign(changes: Partial<Campaign> = {}): Campaign {
  const campaign = newCampaign(
    {
      id: 'camp_1',
      organizationId: 'org_1',
      assistantId: 'asst_1',
      assistantVersion: 1,
      name: 'Spring',
      callRetryConfig: null,
      fromPhoneNumber: null,
      maxConcurrentCalls: null,
      scheduledAt: null,
      contacts: { key: 'org_1/camp_1', count: null },
      isTest: true,
    },
    NOON,
  )
  return { ...campaign, ...changes }
}
