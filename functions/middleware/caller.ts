import type { ApiKey } from '#shared/domain/organization.ts'

/** Who makes a request. */
export interface Caller {
  readonly organizationId: string
  readonly userId: string
  readonly keyId: string
  /** Made with a test key: calls reach only the simulated carrier. */
  readonly isTest: boolean
  readonly scopes: readonly string[]
}

/**
 * What the authorizer hands to the handlers. An invalid key is let through and marked: the gateway's
 * own refusal would be a 403 without a problem document (reference/aws.md 4.2).
 */
export type AuthContext =
  | { readonly invalid: true }
  | {
      readonly organizationId: string
      readonly userId: string
      readonly keyId: string
      readonly mode: string
      /** Separated by spaces: API Gateway passes on flat values. */
      readonly scopes: string
    }

export function authContextOf(apiKey: ApiKey | null): AuthContext {
  if (apiKey === null) return { invalid: true }
  const { organizationId, userId, id, mode, scopes } = apiKey
  return { organizationId, userId, keyId: id, mode, scopes: scopes.join(' ') }
}

/** Null for a request without a valid key. */
export function callerOf(context: AuthContext | null | undefined): Caller | null {
  if (context === null || context === undefined || 'invalid' in context) return null
  const { organizationId, userId, keyId, mode, scopes } = context
  return { organizationId, userId, keyId, isTest: mode !== 'live', scopes: scopes.split(' ') }
}

/** Whether a caller's key covers a scope such as `calls:write`. */
export function allows(caller: Caller, scope: string): boolean {
  return caller.scopes.includes('*') || caller.scopes.includes(scope)
}
