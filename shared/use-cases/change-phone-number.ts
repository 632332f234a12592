import type { PhoneNumberSettings } from '#shared/domain/phone-number.ts'

import {
  completePhoneNumber,
  type FindPhoneNumberPorts,
  type FoundPhoneNumber,
} from './find-phone-numbers.ts'

/** Changes of different fields by several people must all survive. */
const CONFLICTS_MAX = 8

export interface NumberOfOwner {
  readonly organizationId: string
  readonly phoneNumberId: string
}

export type ChangePhoneNumberResult =
  | { readonly kind: 'changed'; readonly found: FoundPhoneNumber }
  | { readonly kind: 'not_found' | 'assistant_not_found' | 'conflict' }

/** Changes the settings that are named, and no others (spec 4.3). */
export async function changePhoneNumber(
  ports: FindPhoneNumberPorts,
  target: NumberOfOwner,
  change: {
    readonly settings: Partial<PhoneNumberSettings>
    /** Absent: as it is. */
    readonly isDefault?: boolean | undefined
  },
): Promise<ChangePhoneNumberResult> {
  const { organizationId, phoneNumberId } = target
  const { inboundAssistantId } = change.settings
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const before = await ports.phoneNumbers.find(organizationId, phoneNumberId)
    if (before === null) return { kind: 'not_found' }
    if (
      typeof inboundAssistantId === 'string' &&
      (await ports.assistants.find(organizationId, inboundAssistantId)) === null
    ) {
      return { kind: 'assistant_not_found' }
    }
    const after = { ...before, ...change.settings, version: before.version + 1 }
    const saved = await ports.phoneNumbers.save({ before, after })
    if (saved.kind === 'conflict') continue
    if (change.isDefault === true) await ports.phoneNumbers.setDefault(after)
    if (change.isDefault === false) await ports.phoneNumbers.unsetDefault(after)
    return { kind: 'changed', found: await completePhoneNumber(ports, after) }
  }
  return { kind: 'conflict' }
}
