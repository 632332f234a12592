/** Phone numbers. The only file that knows the numbering plans. */

import { type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core'

import { NUMBERING_PLAN } from './numbering-plan.ts'

export type ParsedNumber =
  /** `country` is ISO 3166-1 alpha-2; null for numbers of no country (+800, satellite). */
  | { readonly kind: 'valid'; readonly e164: string; readonly country: string | null }
  | { readonly kind: 'invalid'; readonly reason: InvalidNumberReason }

export type InvalidNumberReason = 'not_e164' | 'unknown_country_code' | 'not_in_numbering_plan'

/** No country has shorter numbers. */
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * Whether a text is written as E.164: plus sign and digits, nothing else. Numbering plans are not
 * asked: they change, fictional numbers are in none, and the carrier says which numbers exist.
 */
export function isE164(text: string): boolean {
  return E164.test(text)
}

/**
 * Reads a number that is written as E.164: plus sign and digits, nothing else. The numbering plan
 * decides whether it can exist; fictional numbers such as +1 202 555 01xx can.
 */
export function parseE164(text: string): ParsedNumber {
  if (!E164.test(text)) return { kind: 'invalid', reason: 'not_e164' }
  const number = parsePhoneNumberFromString(text, numberingPlan())
  if (number === undefined) return { kind: 'invalid', reason: 'unknown_country_code' }
  if (!number.isValid()) return { kind: 'invalid', reason: 'not_in_numbering_plan' }
  return { kind: 'valid', e164: number.number, country: number.country ?? null }
}

let readPlan: MetadataJson | undefined

/** Read with the first number: most processes start without one. */
function numberingPlan(): MetadataJson {
  return (readPlan ??= JSON.parse(NUMBERING_PLAN) as MetadataJson)
}
