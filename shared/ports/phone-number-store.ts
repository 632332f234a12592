import type { PhoneNumber } from '#shared/domain/phone-number.ts'

import type { RecordStore } from './record-store.ts'

/** Names one phone number of an organization. */
export type PhoneNumberReference = Pick<PhoneNumber, 'id' | 'organizationId' | 'phoneNumber'>

/**
 * The phone numbers of organizations. Saving a new one is a conflict when the number belongs to
 * somebody already; a change never changes the number itself.
 */
export interface PhoneNumberStore extends RecordStore<PhoneNumber> {
  /** Whose number it is, for calls that come in. */
  findOwner(e164: string): Promise<PhoneNumberReference | null>
  /** What the organization calls from where nothing else is said; null when it named none. */
  findDefault(organizationId: string): Promise<PhoneNumberReference | null>
  setDefault(reference: PhoneNumberReference): Promise<void>
  /** Does nothing when another number is the default. */
  unsetDefault(reference: PhoneNumberReference): Promise<void>
}
