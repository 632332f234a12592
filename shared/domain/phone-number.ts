/** A number that an organization calls from or is called at: spec 2.11. */

import type { Person } from './assistant.ts'

export const PHONE_NUMBER_TYPES = ['owned_number', 'verified_caller_id'] as const
export const PHONE_NUMBER_SOURCES = [
  'user_imported',
  'service_provisioned',
  'service_purchased',
] as const
export const PHONE_NUMBER_PROVIDERS = [
  'telephony_provider_1',
  'telephony_provider_2',
  'sip',
] as const
export const HEALTH_STATUSES = ['unknown', 'healthy', 'warning', 'burned'] as const

/** Times are epoch ms. */
export interface PhoneNumber extends PhoneNumberSettings {
  readonly id: string
  readonly organizationId: string
  /** Optimistic lock: every save raises it by one. */
  readonly version: number
  /** E.164; belongs to one organization only, and never changes. */
  readonly phoneNumber: string
  readonly type: (typeof PHONE_NUMBER_TYPES)[number]
  readonly source: (typeof PHONE_NUMBER_SOURCES)[number]
  readonly provider: (typeof PHONE_NUMBER_PROVIDERS)[number]
  /** How carriers and call filters judge the number, as far as somebody asked them. */
  readonly healthStatus: (typeof HEALTH_STATUSES)[number]
  readonly healthCheckedAt: number | null
  readonly spamScore: number | null
  readonly createdBy: Person | null
  readonly createdAt: number
}

/** What the owner of a number decides. */
export interface PhoneNumberSettings {
  readonly label: string
  /** Who answers calls to it. */
  readonly inboundAssistantId: string | null
  /** Where calls to it are sent on to. */
  readonly inboundSipUri: string | null
  readonly outboundTrunkId: string | null
}
