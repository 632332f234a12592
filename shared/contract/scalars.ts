/** Texts with a form of their own: numbers to dial, addresses, moments. */

import * as z from 'zod'

import { isE164 } from '#shared/domain/e164.ts'
import { parseIso } from '#shared/domain/time.ts'

/** The id of a record. Whether there is one is found out later; a longer one names nothing. */
export const recordId = z.string().min(1).max(64)

/** At most so many characters: of Unicode, as JSON Schema counts them, not UTF-16 units. */
export function textUpTo(charactersMax: number, schema = z.string()) {
  const short = new RegExp(`^.{0,${charactersMax}}$`, 'su')
  return schema
    .refine((text) => short.test(text), {
      error: `Expected at most ${charactersMax} characters`,
      params: { code: 'too_long' },
    })
    .meta({ maxLength: charactersMax })
}

/** A whole number as a query has it, in digits; what is missing, or no number, is said so. */
export function queryNumber<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    schema,
  )
}

/** E.164. */
export const phoneNumber = z
  .string()
  .refine((text) => isE164(text), {
    error: 'Expected a phone number in E.164 form, such as +12025550100',
    params: { code: 'invalid_phone_number' },
  })
  .meta({ format: 'e164', example: '+12025550100' })

/** An absolute `https:` or `http:` URL. Where plain `http:` may go is a matter of the deployment. */
export const webUrl = z
  .url({ protocol: /^https?$/i, error: 'Expected an absolute https URL' })
  .meta({ format: 'uri' })

const emailAddress = z.email()

/** One e-mail address or several, separated by commas (spec 2.1). */
export const emailList = z
  .string()
  .refine(
    (text) => text.split(',').every((address) => emailAddress.safeParse(address.trim()).success),
    {
      error: 'Expected one e-mail address, or several separated by commas',
      params: { code: 'invalid_email' },
    },
  )

/** A moment as it comes in: ISO 8601 with `Z` or an offset (decisions 1). */
export const timestampIn = z
  .string()
  .refine((text) => parseIso(text) !== null, {
    error: 'Expected an ISO 8601 time with Z or an offset, such as 2026-01-31T09:00:00Z',
    params: { code: 'invalid_timestamp' },
  })
  .meta({ format: 'date-time' })

/** A moment as it goes out: RFC 3339, UTC, milliseconds (decisions 1). */
export const timestampOut = z.iso.datetime({ precision: 3 })
