/** Who owns the records: spec 1.7, 2.12 and 5. */

export interface Organization {
  readonly id: string
  readonly name: string
  /** Live attempts at once, over everything the organization does. */
  readonly maxConcurrentCalls: number
  readonly defaultFromPhoneNumber: string
  /** Standard Webhooks secrets, newest first: two are valid while rotating (decisions 4). */
  readonly webhookSecrets: readonly string[]
  readonly createdAt: number
}

export interface User {
  readonly id: string
  readonly organizationId: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly hasCompletedOnboarding: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** The key itself is shown once and never stored; `hash` is its SHA-256 in hex (decisions 1). */
export interface ApiKey {
  readonly id: string
  readonly organizationId: string
  readonly userId: string
  readonly hash: string
  /** Its last four characters, to recognise it by. */
  readonly hint: string
  readonly name: string
  readonly mode: 'live' | 'test'
  /** `resource:read` / `resource:write`, or `*`. */
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** Kept to the hour. */
  readonly lastUsedAt: number | null
}
