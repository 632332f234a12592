import { recipientTimeZones, workableTimeZones } from '../recipient-time-zones.ts'
import type { CallRetryConfig } from '../retry/call-retry-config.ts'
import type { Contact } from './contact-file.ts'
import type { ContactGroup } from './forecast.ts'

/** Numbers that begin with the same digits are in the same zones. */
const PREFIX_LENGTH = 9
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * Contacts by the zones that they are called in. Whether a number exists is not looked at, as it is at
 * the import: it takes too long, and few do not.
 */
export function groupContacts(
  contacts: readonly Contact[],
  config: CallRetryConfig,
  /** Epoch ms. */
  from: number,
): ContactGroup[] {
  const zonesOf = new Map<string, readonly string[]>()
  const groups = new Map<string, { zones: readonly string[]; contacts: number }>()
  for (const { toPhoneNumber: e164, promptVariables } of contacts) {
    if (!E164.test(e164)) continue
    const contactVariable = promptVariables['timezone'] ?? null
    const kind = `${e164.slice(0, PREFIX_LENGTH)} ${contactVariable ?? ''}`
    const zones =
      zonesOf.get(kind) ??
      recipientTimeZones({ configured: config.timezone ?? null, contactVariable, e164 }).zones
    zonesOf.set(kind, zones)
    const key = zones.join(' ')
    const group = groups.get(key) ?? { zones, contacts: 0 }
    group.contacts += 1
    groups.set(key, group)
  }
  return [...groups.values()].map(({ zones, contacts }) => ({
    zones: workableTimeZones({ config, zones, from }).zones,
    contacts,
  }))
}
