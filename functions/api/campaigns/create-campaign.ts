import { type Answer, invalid, ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { campaignToWire } from '#shared/contract/campaign-to-wire.ts'
import { type CreateCampaignBody, CONTACTS_MAX } from '#shared/contract/campaign.ts'
import { camelKeys } from '#shared/contract/wire-case.ts'
import { NO_ROWS, shownRowStats } from '#shared/domain/campaign/row-stats.ts'
import { parseIso } from '#shared/domain/time.ts'
import {
  createCampaign,
  type CreateCampaignInput,
  type CreateCampaignPorts,
  type CreateCampaignResult,
} from '#shared/use-cases/create-campaign.ts'

/** POST /campaigns */
export const createCampaignOperation: Operation<CreateCampaignPorts, 'createCampaign'> = async (
  ports,
  { caller, body },
) => {
  if ((body.contacts?.length ?? 0) > CONTACTS_MAX) {
    const detail = `A request holds at most ${CONTACTS_MAX} contacts; upload more of them`
    return refused('use_upload', detail)
  }
  const result = await createCampaign(ports, {
    organizationId: caller.organizationId,
    isTest: caller.isTest,
    assistantId: body.assistant_id,
    name: body.name,
    contacts: contactsOf(body),
    callRetryConfig: body.call_retry_config ? camelKeys(body.call_retry_config) : null,
    fromPhoneNumber: body.from_phone_number ?? null,
    maxConcurrentCalls: body.max_concurrent_calls ?? null,
    scheduledAt: body.scheduled_at ? parseIso(body.scheduled_at) : null,
  })
  if (result.kind === 'refused') return refusal(result, body)
  const stats = shownRowStats(NO_ROWS, result.campaign)
  return ok({ campaign: campaignToWire({ ...result, stats }) })
}

function contactsOf(body: CreateCampaignBody): CreateCampaignInput['contacts'] {
  const { contacts = [], contacts_upload_id: uploadId } = body
  if (uploadId !== undefined) return { kind: 'uploaded', uploadId }
  return {
    kind: 'inline',
    contacts: contacts.map((contact) => ({
      toPhoneNumber: contact.to_phone_number,
      promptVariables: contact.prompt_variables,
    })),
  }
}

function refusal(
  result: Extract<CreateCampaignResult, { readonly kind: 'refused' }>,
  body: CreateCampaignBody,
): Answer<never> {
  const contacts = body.contacts === undefined ? '/contacts_upload_id' : '/contacts'
  const at = (pointer: string, detail: string) =>
    invalid([{ pointer, code: result.reason, detail }])
  switch (result.reason) {
    case 'assistant_not_found':
      return at('/assistant_id', 'There is no such assistant')
    case 'upload_not_found':
      return at(contacts, 'Nothing was uploaded under this id')
    case 'unreadable_upload':
      return at(contacts, result.detail)
    case 'no_valid_contact':
      return at(contacts, 'None of the contacts has a phone number that can be called')
    case 'too_many_calls':
      return at('/max_concurrent_calls', `The organization has at most ${result.max} calls at once`)
  }
}
