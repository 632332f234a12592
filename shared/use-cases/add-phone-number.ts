import type { PhoneNumber, PhoneNumberSettings } from '#shared/domain/phone-number.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { findPerson } from './create-assistant.ts'
import {
  completePhoneNumber,
  type FindPhoneNumberPorts,
  type FoundPhoneNumber,
} from './find-phone-numbers.ts'

export interface AddPhoneNumberInput {
  readonly organizationId: string
  /** Whose key the request was made with. */
  readonly userId: string
  /** E.164, checked by the caller: one that the organization brings. Null: one of the service's. */
  readonly phoneNumber: string | null
  readonly type: PhoneNumber['type']
  readonly provider: PhoneNumber['provider']
  /** Null: the number itself. */
  readonly label: string | null
  readonly settings: Omit<PhoneNumberSettings, 'label'>
  readonly isDefault: boolean
}

export type AddPhoneNumberResult =
  | { readonly kind: 'added'; readonly found: FoundPhoneNumber }
  | {
      readonly kind: 'refused'
      readonly reason: 'assistant_not_found' | 'number_taken' | 'no_number_left'
    }

type AddPorts = FindPhoneNumberPorts &
  Pick<ServicePorts, 'organizations' | 'clock' | 'ids' | 'limits'>

/** Imports a number, or takes one that the service has left (decisions 5). */
export async function addPhoneNumber(
  ports: AddPorts,
  input: AddPhoneNumberInput,
): Promise<AddPhoneNumberResult> {
  const { organizationId, phoneNumber, settings } = input
  const { inboundAssistantId } = settings
  if (
    inboundAssistantId !== null &&
    (await ports.assistants.find(organizationId, inboundAssistantId)) === null
  ) {
    return { kind: 'refused', reason: 'assistant_not_found' }
  }
  const draft = await draftOf(ports, input)
  const candidates = phoneNumber === null ? (ports.limits.numberPool ?? []) : [phoneNumber]
  const number = await saveFirstFree(ports, draft, candidates)
  if (number === null) {
    return { kind: 'refused', reason: phoneNumber === null ? 'no_number_left' : 'number_taken' }
  }
  if (input.isDefault) await ports.phoneNumbers.setDefault(number)
  return { kind: 'added', found: await completePhoneNumber(ports, number) }
}

type Draft = Omit<PhoneNumber, 'phoneNumber' | 'label'> & { readonly label: string | null }

async function draftOf(ports: AddPorts, input: AddPhoneNumberInput): Promise<Draft> {
  const { organizationId, settings, label, type, provider } = input
  return {
    ...settings,
    label,
    type,
    provider,
    id: ports.ids.next('num'),
    organizationId,
    version: 1,
    source: input.phoneNumber === null ? 'service_provisioned' : 'user_imported',
    healthStatus: 'unknown',
    healthCheckedAt: null,
    spamScore: null,
    createdBy: await findPerson(ports, input),
    createdAt: ports.clock.now(),
  }
}

/** Others may take a number at any moment: whoever stores it first has it. */
async function saveFirstFree(
  ports: Pick<ServicePorts, 'phoneNumbers'>,
  draft: Draft,
  candidates: readonly string[],
): Promise<PhoneNumber | null> {
  for (const phoneNumber of candidates) {
    const owner = await ports.phoneNumbers.findOwner(phoneNumber)
    // A request that is worked on again after a crash has the id it had: its number is there.
    if (owner !== null && owner.id === draft.id) {
      return ports.phoneNumbers.find(draft.organizationId, draft.id)
    }
    if (owner !== null) continue
    const number = { ...draft, phoneNumber, label: draft.label ?? phoneNumber }
    const saved = await ports.phoneNumbers.save({ before: null, after: number })
    if (saved.kind === 'saved') return number
  }
  return null
}
