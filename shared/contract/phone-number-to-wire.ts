import type { Assistant } from '#shared/domain/assistant.ts'
import type { PhoneNumber } from '#shared/domain/phone-number.ts'
import { toIso } from '#shared/domain/time.ts'

import { assistantToWire } from './assistant-to-wire.ts'
import type { PhoneNumberWire } from './phone-number.ts'
import { snakeKeys } from './wire-case.ts'

/** A phone number with everything that its answer shows. */
export interface PhoneNumberView {
  readonly number: PhoneNumber
  /** Null also where it was deleted. */
  readonly inboundAssistant: Assistant | null
  readonly isDefault: boolean
}

/** A phone number as it is answered (spec 2.11). */
export function phoneNumberToWire(view: PhoneNumberView): PhoneNumberWire {
  const { number, inboundAssistant, isDefault } = view
  return {
    id: number.id,
    phone_number: number.phoneNumber,
    label: number.label,
    type: number.type,
    source: number.source,
    provider: number.provider,
    health_status: number.healthStatus,
    health_checked_at: number.healthCheckedAt === null ? null : toIso(number.healthCheckedAt),
    spam_score: number.spamScore,
    inbound_assistant: inboundAssistant && assistantToWire(inboundAssistant),
    inbound_sip_uri: number.inboundSipUri,
    outbound_trunk_id: number.outboundTrunkId,
    is_default_outbound: isDefault,
    created_by: snakeKeys(number.createdBy),
    created_at: toIso(number.createdAt),
  }
}
