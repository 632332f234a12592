import type { Assistant } from '#shared/domain/assistant.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Campaign, RowStats } from '#shared/domain/campaign/campaign.ts'
import { rowProblem } from '#shared/domain/campaign/row-order.ts'
import { toIso } from '#shared/domain/time.ts'

import { assistantToWire } from './assistant-to-wire.ts'
import type { CallOrderWire } from './call-order.ts'
import type { CampaignRowWire, CampaignWire } from './campaign.ts'
import { snakeKeys } from './wire-case.ts'

/** A campaign as it is answered (spec 2.7). */
export function campaignToWire(view: {
  readonly campaign: Campaign
  readonly stats: RowStats
  readonly assistant?: Assistant | null
}): CampaignWire {
  const { campaign, assistant = null } = view
  const { callRetryConfig, fromPhoneNumber, maxConcurrentCalls, scheduledAt } = campaign
  return {
    id: campaign.id,
    assistant_id: campaign.assistantId,
    name: campaign.name,
    organization_id: campaign.organizationId,
    status: campaign.status,
    is_cancelled: campaign.isCancelled,
    created_at: toIso(campaign.createdAt),
    updated_at: toIso(campaign.updatedAt),
    ...(assistant !== null && { assistant: assistantToWire(assistant) }),
    ...(callRetryConfig !== null && { call_retry_config: snakeKeys(callRetryConfig) }),
    ...(fromPhoneNumber !== null && { from_phone_number: fromPhoneNumber }),
    ...(maxConcurrentCalls !== null && { max_concurrent_calls: maxConcurrentCalls }),
    ...(scheduledAt !== null && { scheduled_at: toIso(scheduledAt) }),
    row_stats: { ...view.stats },
  }
}

/** A row of a campaign as it is answered (spec 2.8). */
export function campaignRowToWire(order: CallOrder, call: CallOrderWire | null): CampaignRowWire {
  const problem = rowProblem(order)
  return {
    id: order.campaign?.rowId ?? '',
    input_data: { ...order.promptVariables },
    phone_number: order.toPhoneNumber,
    row_index: order.campaign?.rowIndex ?? 0,
    ...(call !== null && { call }),
    ...(problem !== null && { error: problem }),
  }
}
