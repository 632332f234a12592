import type { Assistant } from '#shared/domain/assistant.ts'
import type { PhoneNumber } from '#shared/domain/phone-number.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { defaultFromPhoneNumber } from './default-from-phone-number.ts'

/** A phone number with what its answer shows besides. */
export interface FoundPhoneNumber {
  readonly number: PhoneNumber
  /** Null also where it was deleted. */
  readonly inboundAssistant: Assistant | null
  /** Whether the organization calls from it where nothing else is said. */
  readonly isDefault: boolean
}

export type FindPhoneNumberPorts = Pick<
  ServicePorts,
  'phoneNumbers' | 'assistants' | 'organizations'
>

/** An organization's phone numbers, newest first (spec 4.3). */
export async function listPhoneNumbers(
  ports: FindPhoneNumberPorts,
  input: {
    readonly organizationId: string
    readonly limit: number
    readonly cursor: string | null
  },
): Promise<{ readonly found: readonly FoundPhoneNumber[]; readonly nextCursor: string | null }> {
  const { organizationId, ...page } = input
  const { records, nextCursor } = await ports.phoneNumbers.list(organizationId, page)
  return { found: await completed(ports, organizationId, records), nextCursor }
}

/** A phone number with what its answer shows besides. */
export async function completePhoneNumber(
  ports: FindPhoneNumberPorts,
  number: PhoneNumber,
): Promise<FoundPhoneNumber> {
  const [found] = await completed(ports, number.organizationId, [number])
  return found ?? { number, inboundAssistant: null, isDefault: false }
}

/** Numbers often share an assistant: each is read once. */
async function completed(
  ports: FindPhoneNumberPorts,
  organizationId: string,
  numbers: readonly PhoneNumber[],
): Promise<FoundPhoneNumber[]> {
  const ids = new Set(numbers.map(({ inboundAssistantId }) => inboundAssistantId))
  const [standard, ...assistants] = await Promise.all([
    defaultFromPhoneNumber(ports, organizationId),
    ...[...ids].map((id) => (id === null ? null : ports.assistants.find(organizationId, id))),
  ])
  const byId = new Map([...ids].map((id, index) => [id, assistants[index] ?? null]))
  return numbers.map((number) => ({
    number,
    inboundAssistant: byId.get(number.inboundAssistantId) ?? null,
    isDefault: number.phoneNumber === standard,
  }))
}
