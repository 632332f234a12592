import type { Assistant } from '../assistant.ts'
import { decideOrder, newCallOrder } from '../call-order/decide.ts'
import type { CallOrder, CampaignRowReference } from '../call-order/order.ts'
import { isE164 } from '../e164.ts'
import { recipientTimeZones } from '../recipient-time-zones.ts'
import { DEFAULT_CALL_RETRY_CONFIG } from '../retry/call-retry-config.ts'
import { campaignScope } from '../scope.ts'
import type { Campaign } from './campaign.ts'
import type { Contact, ContactLine } from './contact-file.ts'
import { holdBack } from './follow-campaign.ts'

/**
 * The order of a campaign's row (spec 2.8), as it stands when the contact becomes a row. One that
 * can never be called is `errored` at once, with the reason as its warning (decisions 2).
 */
export function newRowOrder(
  input: {
    readonly campaign: Campaign
    readonly assistant: Pick<Assistant, 'callRetryConfig' | 'fromPhoneNumber'>
    readonly defaultFromPhoneNumber: string | null
    readonly orderId: string
    readonly row: Pick<CampaignRowReference, 'rowId' | 'rowIndex'>
    readonly line: ContactLine
  },
  now: number,
): CallOrder {
  const { campaign, assistant, line } = input
  const problem = contactProblem(line)
  const contact = line.kind === 'contact' ? line.contact : NOBODY
  const retryConfig =
    campaign.callRetryConfig ?? assistant.callRetryConfig ?? DEFAULT_CALL_RETRY_CONFIG
  const recipient =
    problem === null
      ? recipientTimeZones({
          configured: retryConfig.timezone ?? null,
          contactVariable: contact.promptVariables['timezone'] ?? null,
          e164: contact.toPhoneNumber,
        })
      : { zones: ['UTC'], warning: problem }
  const { order } = newCallOrder(
    {
      id: input.orderId,
      organizationId: campaign.organizationId,
      direction: 'outbound',
      toPhoneNumber: contact.toPhoneNumber,
      fromPhoneNumber:
        campaign.fromPhoneNumber ?? assistant.fromPhoneNumber ?? input.defaultFromPhoneNumber,
      assistant: {
        kind: 'stored',
        assistantId: campaign.assistantId,
        version: campaign.assistantVersion,
      },
      scope: campaignScope(campaign.id),
      campaign: { campaignId: campaign.id, ...input.row },
      concurrency: null,
      retryConfig,
      timeZones: recipient.zones,
      warnings: recipient.warning === null ? [] : [recipient.warning],
      forceNow: false,
      scheduledAt: campaign.scheduledAt,
      promptVariables: contact.promptVariables,
      metadata: {},
      isTest: campaign.isTest,
    },
    now,
  )
  const decision =
    problem === null ? holdBack(order, campaign, now) : decideOrder(order, { type: 'refused' }, now)
  return decision.kind === 'changed' ? { ...decision.order, version: order.version } : order
}

/** Why a row's order could never be called; null for every other one. */
export function rowProblem(order: CallOrder): string | null {
  const isUnusable = order.status === 'errored' && order.attemptsMade === 0
  return isUnusable ? (order.warnings[0] ?? null) : null
}

/** Whether a contact can be called at all. */
export function isUsable(line: ContactLine): boolean {
  return contactProblem(line) === null
}

const NOBODY: Contact = { toPhoneNumber: '', promptVariables: {} }

/** Why a contact can never be called; null when it can. */
export function contactProblem(line: ContactLine): string | null {
  if (line.kind === 'unusable') return line.reason
  return isE164(line.contact.toPhoneNumber) ? null : 'The phone number is not in E.164 form.'
}
