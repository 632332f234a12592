import { invalid, ok, refused, type Refused } from '#functions/middleware/answer.ts'
import { allows, type Caller } from '#functions/middleware/caller.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { randomApiKey, sha256 } from '#functions/middleware/key-material.ts'
import { apiKeyToWire } from '#shared/contract/api-key.ts'
import type { FieldError } from '#shared/contract/problem.ts'
import { SCOPES } from '#shared/contract/scope.ts'
import type { ApiKey } from '#shared/domain/organization.ts'
import { parseIso } from '#shared/domain/time.ts'
import { type IssuePorts, issueApiKey, rotateApiKey } from '#shared/use-cases/issue-api-key.ts'

const material = { randomApiKey, sha256 }

const KNOWN_SCOPES: ReadonlySet<string> = new Set(['*', ...SCOPES])

/** POST /api-keys */
export const createApiKeyOperation: Operation<IssuePorts, 'createApiKey'> = async (
  ports,
  { caller, body },
) => {
  const { name, scopes, mode = caller.isTest ? 'test' : 'live' } = body
  const expiresAt = body.expires_at ? parseIso(body.expires_at) : null
  const errors = [...unknownScopes(scopes), ...pastExpiry(expiresAt, ports.clock.now())]
  if (errors.length > 0) return invalid(errors)
  const { organizationId, userId } = caller
  const wanted = { organizationId, userId, name, mode, scopes: [...new Set(scopes)], expiresAt }
  const excess = refuseExcess(caller, wanted)
  if (excess !== null) return excess
  const { apiKey, key } = await issueApiKey(ports, material, wanted)
  return ok({ api_key: apiKeyToWire(apiKey), key })
}

/** POST /api-keys/{id}/rotate */
export const rotateApiKeyOperation: Operation<IssuePorts, 'rotateApiKey'> = async (
  ports,
  { caller, params, body },
) => {
  const old = await ports.organizations.findApiKeyById(caller.organizationId, params.id)
  if (old === null) return refused('not_found', 'There is no API key with this id')
  const hasExpired = old.expiresAt !== null && old.expiresAt <= ports.clock.now()
  if (old.revokedAt !== null || hasExpired) {
    return refused('state_conflict', 'The key is revoked or expired; create a new one')
  }
  const excess = refuseExcess(caller, old)
  if (excess !== null) return excess
  const overlapMs = body.overlap_seconds * 1_000
  const { apiKey, key } = await rotateApiKey(ports, material, { apiKey: old, overlapMs })
  return ok({ api_key: apiKeyToWire(apiKey), key })
}

/** Nobody hands out more than they may do themselves. */
function refuseExcess(caller: Caller, wanted: Pick<ApiKey, 'mode' | 'scopes'>): Refused | null {
  const excess = wanted.scopes.find((scope) => !allows(caller, scope))
  if (excess !== undefined) {
    return refused('insufficient_scope', `The API key lacks the scope ${excess} itself`)
  }
  return caller.isTest && wanted.mode === 'live'
    ? refused('insufficient_scope', 'A test key cannot issue a live key')
    : null
}

function unknownScopes(scopes: readonly string[]): FieldError[] {
  return scopes.flatMap((scope, index) =>
    KNOWN_SCOPES.has(scope)
      ? []
      : [{ pointer: `/scopes/${index}`, code: 'unknown_scope', detail: 'There is no such scope' }],
  )
}

function pastExpiry(expiresAt: number | null, now: number): FieldError[] {
  if (expiresAt === null || expiresAt > now) return []
  return [{ pointer: '/expires_at', code: 'in_the_past', detail: 'Expected a time to come' }]
}
