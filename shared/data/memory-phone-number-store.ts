import type { PhoneNumber } from '#shared/domain/phone-number.ts'
import type { PhoneNumberReference, PhoneNumberStore } from '#shared/ports/phone-number-store.ts'

import { memoryRecordStore } from './memory-record-store.ts'

/** The phone numbers in memory. */
export function memoryPhoneNumberStore(): PhoneNumberStore {
  const records = memoryRecordStore<PhoneNumber>()
  /** By E.164. */
  const owners = new Map<string, PhoneNumberReference>()
  /** By organization. */
  const defaults = new Map<string, PhoneNumberReference>()
  return {
    ...records,
    save: async (change) => {
      const { id, organizationId, phoneNumber } = change.after
      if (change.before === null && owners.has(phoneNumber)) return { kind: 'conflict' }
      const saved = await records.save(change)
      if (saved.kind === 'saved') owners.set(phoneNumber, { id, organizationId, phoneNumber })
      return saved
    },
    remove: async (organizationId, id) => {
      const owner = [...owners.values()].find(
        (one) => one.id === id && one.organizationId === organizationId,
      )
      if (owner !== undefined) owners.delete(owner.phoneNumber)
      return records.remove(organizationId, id)
    },
    findOwner: async (e164) => owners.get(e164) ?? null,
    findDefault: async (organizationId) => defaults.get(organizationId) ?? null,
    setDefault: async ({ id, organizationId, phoneNumber }) => {
      defaults.set(organizationId, { id, organizationId, phoneNumber })
    },
    unsetDefault: async ({ id, organizationId }) => {
      if (defaults.get(organizationId)?.id === id) defaults.delete(organizationId)
    },
  }
}
