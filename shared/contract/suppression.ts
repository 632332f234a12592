import * as z from 'zod'

import type { Suppression } from '#shared/domain/suppression.ts'
import { toIso } from '#shared/domain/time.ts'

import { phoneNumber, timestampOut } from './scalars.ts'
import { withoutServerSet } from './without-server-set.ts'

const reason = z.string().max(500).nullable()

/** A number that is never called, as it is answered (decisions 5). */
export const suppressionSchema = z.strictObject({
  phone_number: z.string(),
  reason,
  organization_id: z.string(),
  created_at: timestampOut,
})
export type SuppressionWire = z.output<typeof suppressionSchema>

export const createSuppressionBody = withoutServerSet(
  ['organization_id', 'created_at'],
  z.strictObject({ phone_number: phoneNumber, reason: reason.default(null) }),
)

/** The number in a path, its plus sign percent-encoded or not. */
export const suppressionParams = z.strictObject({ phone_number: z.string().min(1).max(64) })

/** A suppressed number as it is answered. */
export function suppressionToWire(suppression: Suppression): SuppressionWire {
  return {
    phone_number: suppression.id,
    reason: suppression.reason,
    organization_id: suppression.organizationId,
    created_at: toIso(suppression.createdAt),
  }
}
