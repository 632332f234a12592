import * as z from 'zod'

import type { User } from '#shared/domain/organization.ts'
import { toIso } from '#shared/domain/time.ts'

import { timestampOut } from './scalars.ts'
import { snakeKeys } from './wire-case.ts'
import { withoutServerSet } from './without-server-set.ts'

/** Spec 2.12. */
export const userSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  has_completed_onboarding: z.boolean(),
  organization_id: z.string(),
  created_at: timestampOut,
  updated_at: timestampOut,
})
export type UserWire = z.output<typeof userSchema>

/** Spec 4.5, PATCH /users/me. */
export const updateUserBody = withoutServerSet(
  Object.keys(userSchema.shape).filter((name) => name !== 'has_completed_onboarding'),
  z.strictObject({ has_completed_onboarding: z.boolean().optional() }),
)

/** A user as it is answered. */
export function userToWire(user: User): UserWire {
  return {
    ...snakeKeys(user),
    created_at: toIso(user.createdAt),
    updated_at: toIso(user.updatedAt),
  }
}
