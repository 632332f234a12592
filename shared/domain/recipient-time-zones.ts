/** Where the person is who will be called: spec 2.6, decisions 2 ("Zone of the recipient"). */

import { parseE164 } from './e164.ts'
import type { CallRetryConfig } from './retry/call-retry-config.ts'
import { nextOpening } from './retry/calling-windows.ts'
import { TIME_ZONE_TABLE } from './time-zone-table.ts'
import { isTimeZone } from './time.ts'

export interface RecipientTimeZones {
  /** IANA names, the likeliest first; a call must be allowed in all of them. */
  readonly zones: readonly string[]
  /** For the order; null when nothing is doubtful. */
  readonly warning: string | null
}

/**
 * The zones that a recipient may be in: the configured one, else the contact's own, else what the
 * longest known prefix of the number says, else the country's primary zone, else UTC with a warning.
 * A number of no place, such as the toll-free +1 800, gives every zone of its country code; see
 * `workableTimeZones`.
 */
export function recipientTimeZones(input: {
  readonly configured: string | null
  /** The contact's `timezone` variable; ignored unless it is an IANA name. */
  readonly contactVariable: string | null
  readonly e164: string
}): RecipientTimeZones {
  for (const named of [input.configured, input.contactVariable]) {
    if (named !== null && isTimeZone(named)) return { zones: [named], warning: null }
  }
  const number = parseE164(input.e164)
  const country = number.kind === 'valid' ? number.country : null
  const primary = country === null ? undefined : PRIMARY_ZONES[country]
  const possible = zonesOfPrefix(input.e164)
  if (possible !== null) {
    const likeliest = primary ?? possible.find((zone) => PRIMARY.has(zone))
    return { zones: likeliestFirst(possible, likeliest), warning: null }
  }
  if (primary !== undefined) return { zones: [primary], warning: null }
  return { zones: ['UTC'], warning: 'The time zone of the number is unknown; UTC is used.' }
}

/**
 * The zones that calls can be planned with: all of them, unless the windows never open in all at
 * once (+1 800 and nine-to-five). Then the likeliest one alone, with a warning, because otherwise
 * the order would wait for ever.
 */
export function workableTimeZones(input: {
  readonly config: CallRetryConfig
  readonly zones: readonly string[]
  /** Epoch ms; openings of the year that follows count. */
  readonly from: number
}): RecipientTimeZones {
  const { config, zones, from } = input
  const [likeliest] = zones
  if (likeliest === undefined || zones.length === 1 || nextOpening(config, zones, from) !== null) {
    return { zones, warning: null }
  }
  const warning = `The calling windows are never open in all ${zones.length} time zones that the number may be in; ${likeliest} is used.`
  return { zones: [likeliest], warning }
}

/** Where most people of a country with several zones live (reference/protocols-business.md 11). */
const PRIMARY_ZONES: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GB: 'Europe/London',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
}

/** Of a number that is in no numbering plan, only the country code speaks. */
const PRIMARY: ReadonlySet<string> = new Set(Object.values(PRIMARY_ZONES))

interface ZonesByPrefix {
  readonly zones: ReadonlyMap<string, readonly string[]>
  readonly longestPrefix: number
}

let readTable: ZonesByPrefix | undefined

/** Read with the first number: most processes start without one. */
function zonesByPrefix(): ZonesByPrefix {
  return (readTable ??= parseTable())
}

function parseTable(): ZonesByPrefix {
  const zones = new Map(
    TIME_ZONE_TABLE.trim()
      .split('\n')
      .flatMap((line) => {
        const [names = '', prefixes = ''] = line.split('|')
        const zonesOfLine = names.split('&')
        return prefixes.split(' ').map((prefix) => [prefix, zonesOfLine] as const)
      }),
  )
  return { zones, longestPrefix: Math.max(...Array.from(zones.keys(), ({ length }) => length)) }
}

function zonesOfPrefix(e164: string): readonly string[] | null {
  const { zones, longestPrefix } = zonesByPrefix()
  const digits = e164.slice(1)
  for (let length = longestPrefix; length > 0; length -= 1) {
    const found = zones.get(digits.slice(0, length))
    if (found !== undefined) return found
  }
  return null
}

function likeliestFirst(zones: readonly string[], primary: string | undefined): readonly string[] {
  return primary !== undefined && zones.includes(primary)
    ? [primary, ...zones.filter((zone) => zone !== primary)]
    : zones
}
