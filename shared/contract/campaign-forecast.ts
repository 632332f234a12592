/** POST /campaigns/forecast, an extension (decisions 5): when a campaign would be done. */

import * as z from 'zod'

import type { Contact } from '#shared/domain/campaign/contact-file.ts'
import {
  forecastCampaign,
  type ContactGroup,
  type Forecast,
} from '#shared/domain/campaign/forecast.ts'
import { groupContacts } from '#shared/domain/campaign/group-contacts.ts'
import { DEFAULT_CALL_RETRY_CONFIG } from '#shared/domain/retry/call-retry-config.ts'
import { isTimeZone, parseIso, toIso } from '#shared/domain/time.ts'

import { callRetryConfigSchema } from './call-retry-config.ts'
import { contactSchema } from './campaign.ts'
import { timestampIn, timestampOut } from './scalars.ts'
import { camelKeys } from './wire-case.ts'

const ROWS_MAX = 10_000_000
const ZONES_MAX = 600
const CALL_SECS_MAX = 86_400

const timeZone = z.string().refine(isTimeZone, {
  error: 'Expected an IANA time zone, such as Europe/Paris',
  params: { code: 'iana_time_zone' },
})

/** Like the body of POST /campaigns, and what is assumed of the people who are called. */
export const forecastCampaignBody = z
  .strictObject({
    contacts: z.array(contactSchema).optional(),
    /** In place of contacts: how many there are in each zone. */
    rows_by_zone: z
      .record(timeZone, z.int().min(1).max(ROWS_MAX))
      .refine((rows) => Object.keys(rows).length <= ZONES_MAX, {
        error: `At most ${ZONES_MAX} zones`,
        params: { code: 'too_big' },
      })
      .optional(),
    call_retry_config: callRetryConfigSchema.optional(),
    max_concurrent_calls: z.int().min(1).optional(),
    /** The share of dials that reach a person. */
    answer_rate: z.number().min(0).max(1).default(0.35),
    /** From the dial to the end of the call. */
    answered_call_secs: z.int().min(1).max(CALL_SECS_MAX).default(90),
    unanswered_call_secs: z.int().min(1).max(CALL_SECS_MAX).default(25),
    scheduled_at: timestampIn.nullish(),
  })
  .refine((body) => (body.contacts === undefined) !== (body.rows_by_zone === undefined), {
    path: ['contacts'],
    error: 'Give contacts, or how many there are in /rows_by_zone, and not both',
    params: { code: 'required' },
  })
export type ForecastCampaignBody = z.output<typeof forecastCampaignBody>

export const campaignForecastSchema = z.strictObject({
  rows: z.number(),
  attempts: z.number(),
  reached: z.number(),
  /** Null when it would not be done within a year. */
  finishes_at: timestampOut.nullable(),
  /** Hours without calls are left out. */
  calls_per_hour: z.array(z.strictObject({ hour: timestampOut, calls: z.number() })),
})
export type CampaignForecastWire = z.output<typeof campaignForecastSchema>

/** What a campaign may be expected to do where so many calls are allowed. */
export function forecastOf(
  body: ForecastCampaignBody,
  allowed: {
    readonly maxConcurrentCalls: number
    readonly callsPerSecond: number
    /** Epoch ms. */
    readonly now: number
  },
): CampaignForecastWire {
  const retryConfig = body.call_retry_config
    ? camelKeys(body.call_retry_config)
    : DEFAULT_CALL_RETRY_CONFIG
  const scheduledAt = body.scheduled_at ? parseIso(body.scheduled_at) : null
  const startAt = Math.max(allowed.now, scheduledAt ?? allowed.now)
  return forecastToWire(
    forecastCampaign({
      groups: body.rows_by_zone
        ? zonesAsGroups(body.rows_by_zone, retryConfig.timezone ?? null)
        : groupContacts(contactsOf(body), retryConfig, startAt),
      retryConfig,
      maxConcurrentCalls: Math.min(
        allowed.maxConcurrentCalls,
        body.max_concurrent_calls ?? allowed.maxConcurrentCalls,
      ),
      callsPerSecond: allowed.callsPerSecond,
      answerRate: body.answer_rate,
      answeredSecs: body.answered_call_secs,
      unansweredSecs: body.unanswered_call_secs,
      startAt,
    }),
  )
}

/** A zone that is configured holds for everybody (spec 2.6). */
function zonesAsGroups(
  rows: Readonly<Record<string, number>>,
  configured: string | null,
): ContactGroup[] {
  return Object.entries(rows).map(([zone, contacts]) => ({ zones: [configured ?? zone], contacts }))
}

function contactsOf({ contacts = [] }: ForecastCampaignBody): Contact[] {
  return contacts.map((contact) => ({
    toPhoneNumber: contact.to_phone_number,
    promptVariables: contact.prompt_variables,
  }))
}

function forecastToWire(forecast: Forecast): CampaignForecastWire {
  return {
    rows: forecast.contacts,
    attempts: forecast.attempts,
    reached: forecast.reached,
    finishes_at: forecast.finishedAt === null ? null : toIso(forecast.finishedAt),
    calls_per_hour: forecast.callsPerHour.map(({ hour, calls }) => ({ hour: toIso(hour), calls })),
  }
}
