import type { Assistant } from '#shared/domain/assistant.ts'
import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { type Contact, readContacts, writeContact } from '#shared/domain/campaign/contact-file.ts'
import { newCampaign } from '#shared/domain/campaign/decide.ts'
import { isUsable } from '#shared/domain/campaign/row-order.ts'
import type { CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { readCampaignContacts } from './read-campaign-contacts.ts'
import { contactsKey, ROWS_PER_STEP } from './work-on-campaign.ts'

export interface CreateCampaignInput {
  readonly organizationId: string
  readonly isTest: boolean
  readonly assistantId: string
  readonly name: string
  readonly contacts:
    | { readonly kind: 'inline'; readonly contacts: readonly Contact[] }
    | { readonly kind: 'uploaded'; readonly uploadId: string }
  readonly callRetryConfig: CallRetryConfig | null
  readonly fromPhoneNumber: string | null
  readonly maxConcurrentCalls: number | null
  /** Epoch ms. */
  readonly scheduledAt: number | null
}

export type CreateCampaignResult =
  | { readonly kind: 'created'; readonly campaign: Campaign; readonly assistant: Assistant }
  | {
      readonly kind: 'refused'
      readonly reason: 'assistant_not_found' | 'upload_not_found' | 'no_valid_contact'
    }
  | { readonly kind: 'refused'; readonly reason: 'unreadable_upload'; readonly detail: string }
  | { readonly kind: 'refused'; readonly reason: 'too_many_calls'; readonly max: number }

export type CreateCampaignPorts = Pick<
  ServicePorts,
  'assistants' | 'organizations' | 'campaigns' | 'contactUploads' | 'queues' | 'clock' | 'ids'
>

type Refusal = Extract<CreateCampaignResult, { readonly kind: 'refused' }>

/** Accepts a campaign (spec 4.2); its contacts become rows in the background. */
export async function createCampaign(
  ports: CreateCampaignPorts,
  input: CreateCampaignInput,
): Promise<CreateCampaignResult> {
  const { organizationId, assistantId } = input
  const [assistant, organization] = await Promise.all([
    ports.assistants.find(organizationId, assistantId),
    ports.organizations.findOrganization(organizationId),
  ])
  if (assistant === null) return { kind: 'refused', reason: 'assistant_not_found' }
  const max = organization?.maxConcurrentCalls ?? 0
  if ((input.maxConcurrentCalls ?? 0) > max) {
    return { kind: 'refused', reason: 'too_many_calls', max }
  }
  const id = ports.ids.next('camp')
  const refusal = await checkContacts(ports, input)
  if (refusal !== null) return refusal
  const contacts = await storeContacts(ports, input, id)
  const campaign = newCampaign(
    {
      id,
      organizationId,
      assistantId,
      assistantVersion: assistant.version,
      name: input.name,
      callRetryConfig: input.callRetryConfig,
      fromPhoneNumber: input.fromPhoneNumber,
      maxConcurrentCalls: input.maxConcurrentCalls,
      scheduledAt: input.scheduledAt,
      contacts,
      isTest: input.isTest,
    },
    ports.clock.now(),
  )
  // A conflict means that the same request was accepted before: its id is the same.
  const saved = await ports.campaigns.save({ before: null, after: campaign })
  await ports.queues.send('import', { campaignId: id }, { group: campaignScope(id) })
  const stored = saved.kind === 'conflict' ? await ports.campaigns.find(id) : campaign
  return { kind: 'created', campaign: stored ?? campaign, assistant }
}

/** At least one contact must be callable (decisions 2); of an upload the first ones are looked at. */
async function checkContacts(
  ports: CreateCampaignPorts,
  { organizationId, contacts }: CreateCampaignInput,
): Promise<Refusal | null> {
  if (contacts.kind === 'inline') {
    return contacts.contacts.some((contact) => asLines([contact]).some(isUsable))
      ? null
      : { kind: 'refused', reason: 'no_valid_contact' }
  }
  const key = contactsKey(organizationId, contacts.uploadId)
  const chunk = await readCampaignContacts(ports, { key, offset: 0, limit: ROWS_PER_STEP })
  if (chunk.kind === 'missing') return { kind: 'refused', reason: 'upload_not_found' }
  if (chunk.kind === 'unreadable') {
    return { kind: 'refused', reason: 'unreadable_upload', detail: chunk.reason }
  }
  const isHopeless = chunk.isEnd && !chunk.lines.some(isUsable)
  return isHopeless ? { kind: 'refused', reason: 'no_valid_contact' } : null
}

/** Contacts of the request go the way of uploaded ones. */
async function storeContacts(
  ports: CreateCampaignPorts,
  { organizationId, contacts }: CreateCampaignInput,
  campaignId: string,
): Promise<{ readonly key: string; readonly count: number | null }> {
  if (contacts.kind === 'uploaded') {
    return { key: contactsKey(organizationId, contacts.uploadId), count: null }
  }
  const key = contactsKey(organizationId, campaignId)
  await ports.contactUploads.put(key, asFile(contacts.contacts))
  return { key, count: contacts.contacts.length }
}

function asFile(contacts: readonly Contact[]): Uint8Array {
  return new TextEncoder().encode(contacts.map(writeContact).join('\n'))
}

/** What the import will make of them. */
function asLines(contacts: readonly Contact[]) {
  const options = { format: { kind: 'ndjson' }, isEnd: true, limit: contacts.length } as const
  return readContacts(asFile(contacts), options).lines
}
