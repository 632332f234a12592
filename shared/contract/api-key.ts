import * as z from 'zod'

import type { ApiKey } from '#shared/domain/organization.ts'
import { toIso } from '#shared/domain/time.ts'

import { timestampIn, timestampOut } from './scalars.ts'

/** An API key as it is answered (decisions 1): never the key itself. */
export const apiKeySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  masked_key: z.string(),
  mode: z.enum(['live', 'test']),
  scopes: z.array(z.string()),
  organization_id: z.string(),
  user_id: z.string(),
  created_at: timestampOut,
  expires_at: timestampOut.nullable(),
  revoked_at: timestampOut.nullable(),
  last_used_at: timestampOut.nullable(),
})
export type ApiKeyWire = z.output<typeof apiKeySchema>

/** The only answer that ever holds the key. */
export const newApiKeyAnswer = z.strictObject({ api_key: apiKeySchema, key: z.string() })

export const createApiKeyBody = z.strictObject({
  name: z.string().min(1).max(100),
  /** Such as `calls:write`, or `*`; at most those of the key that asks. */
  scopes: z.array(z.string()).min(1),
  /** Absent: that of the key that asks. */
  mode: z.enum(['live', 'test']).optional(),
  expires_at: timestampIn.nullish(),
})

const DAY_SECS = 86_400

export const rotateApiKeyBody = z.strictObject({
  /** How long the old key stays valid beside the new one. */
  overlap_seconds: z
    .int()
    .min(0)
    .max(30 * DAY_SECS)
    .default(DAY_SECS),
})

/** A key as it is answered. */
export function apiKeyToWire(apiKey: ApiKey): ApiKeyWire {
  return {
    id: apiKey.id,
    name: apiKey.name,
    masked_key: `vak_${apiKey.mode}_…${apiKey.hint}`,
    mode: apiKey.mode,
    scopes: [...apiKey.scopes],
    organization_id: apiKey.organizationId,
    user_id: apiKey.userId,
    created_at: toIso(apiKey.createdAt),
    expires_at: isoOrNull(apiKey.expiresAt),
    revoked_at: isoOrNull(apiKey.revokedAt),
    last_used_at: isoOrNull(apiKey.lastUsedAt),
  }
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at)
}
