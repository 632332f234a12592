/** Phone numbers: spec 2.11 and 4.3, decisions 2 and 5. */

import * as z from 'zod'

import {
  HEALTH_STATUSES,
  PHONE_NUMBER_PROVIDERS,
  PHONE_NUMBER_SOURCES,
  PHONE_NUMBER_TYPES,
} from '#shared/domain/phone-number.ts'

import { assistantSchema, personSchema } from './assistant.ts'
import { phoneNumber, recordId, timestampOut } from './scalars.ts'
import { withoutServerSet } from './without-server-set.ts'

/** Spec 2.11, as it is answered. */
export const phoneNumberSchema = z.strictObject({
  id: z.string(),
  phone_number: phoneNumber,
  label: z.string(),
  type: z.enum(PHONE_NUMBER_TYPES),
  source: z.enum(PHONE_NUMBER_SOURCES),
  provider: z.enum(PHONE_NUMBER_PROVIDERS),
  health_status: z.enum(HEALTH_STATUSES),
  health_checked_at: timestampOut.nullable(),
  spam_score: z.number().nullable(),
  inbound_assistant: assistantSchema.nullable(),
  inbound_sip_uri: z.string().nullable(),
  outbound_trunk_id: z.string().nullable(),
  /** Extension: whether the organization calls from it where nothing else is said. */
  is_default_outbound: z.boolean(),
  created_by: personSchema.nullable(),
  created_at: timestampOut,
})
export type PhoneNumberWire = z.output<typeof phoneNumberSchema>

const sipUri = z
  .string()
  .max(500)
  .regex(/^sips?:[^\s@]+(?:@[^\s@]+)?$/i, {
    error: 'Expected a SIP URI, such as sip:reception@example.com',
  })

/** What an owner may change (decisions 2). */
const settings = {
  label: z.string().max(200),
  /** Null unlinks. */
  inbound_assistant_id: recordId.nullable(),
  inbound_sip_uri: sipUri.nullable(),
  outbound_trunk_id: z.string().min(1).max(200).nullable(),
  is_default_outbound: z.boolean(),
}

/** Of a number that was read and is sent back. */
const SERVER_SET = [
  'id',
  'phone_number',
  'type',
  'source',
  'provider',
  'health_status',
  'health_checked_at',
  'spam_score',
  'inbound_assistant',
  'created_by',
  'created_at',
]

export const updatePhoneNumberBody = withoutServerSet(
  SERVER_SET,
  z.strictObject(settings).partial(),
)

/**
 * Extension: with `phone_number` a number that the organization brings, without it one that the
 * service gives.
 */
export const createPhoneNumberBody = z
  .strictObject({
    ...settings,
    phone_number: phoneNumber,
    type: z.enum(PHONE_NUMBER_TYPES),
    provider: z.enum(PHONE_NUMBER_PROVIDERS),
  })
  .partial()
  .refine((body) => body.type !== 'verified_caller_id' || body.phone_number !== undefined, {
    path: ['phone_number'],
    error: 'Say which number was verified',
    params: { code: 'required' },
  })
