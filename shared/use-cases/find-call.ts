import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { findAssistantOf } from './find-assistant-of.ts'

export interface FoundCall {
  readonly order: CallOrder
  /** Ascending number. */
  readonly attempts: readonly CallAttempt[]
  readonly assistant: AssistantSettings
  /** Null without a campaign, and once that is deleted. */
  readonly campaignName: string | null
  /** By attempt number; signed now, good for an hour. */
  readonly recordingUrls: ReadonlyMap<number, string>
}

/** One order with everything that GET /call/{id} shows; null also for another organization's id. */
export async function findCall(
  ports: Pick<ServicePorts, 'calls' | 'campaigns' | 'assistants' | 'recordings'>,
  input: { readonly organizationId: string; readonly orderId: string },
): Promise<FoundCall | null> {
  const call = await ports.calls.findCall(input.orderId)
  if (call === null || call.order.organizationId !== input.organizationId) return null
  const [assistant, campaignName, urls] = await Promise.all([
    findAssistantOf(ports, call.order),
    campaignNameOf(ports, call.order),
    Promise.all(
      call.attempts.map(async (attempt): Promise<[number, string][]> =>
        attempt.recordingKey === null
          ? []
          : [[attempt.number, await ports.recordings.url(attempt.recordingKey)]],
      ),
    ),
  ])
  return { ...call, assistant, campaignName, recordingUrls: new Map(urls.flat()) }
}

async function campaignNameOf(
  ports: Pick<ServicePorts, 'campaigns'>,
  { campaign }: CallOrder,
): Promise<string | null> {
  const found = campaign && (await ports.campaigns.find(campaign.campaignId))
  return found === null || found.deletedAt !== null ? null : found.name
}
