import { newApiKey, type ApiKeyMode } from '#shared/domain/api-key.ts'
import type { ApiKey } from '#shared/domain/organization.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

export type IssuePorts = Pick<ServicePorts, 'organizations' | 'clock' | 'ids'>

/** A fresh key, and what is stored instead of one; from the shell, because only it has true chance. */
export interface KeyMaterial {
  readonly randomApiKey: (mode: ApiKeyMode) => string
  /** In hex. */
  readonly sha256: (text: string) => string
}

export interface IssuedKey {
  readonly apiKey: ApiKey
  /** Shown once, and stored nowhere. */
  readonly key: string
}

/**
 * Gives an organization another key. A request that is repeated after a crash has the ids that it had
 * before: the key that it stored then was shown to nobody, so it is revoked and a new one takes its
 * place.
 */
export async function issueApiKey(
  ports: IssuePorts,
  material: KeyMaterial,
  input: Pick<ApiKey, 'organizationId' | 'userId' | 'name' | 'mode' | 'scopes' | 'expiresAt'>,
): Promise<IssuedKey> {
  const { mode, ...rest } = input
  const key = material.randomApiKey(mode)
  const now = ports.clock.now()
  for (;;) {
    const id = ports.ids.next('key')
    const apiKey = newApiKey({ ...rest, id, key, hash: material.sha256(key) }, now)
    if (await ports.organizations.addApiKey(apiKey)) return { apiKey, key }
    const unseen = await ports.organizations.findApiKeyById(apiKey.organizationId, id)
    if (unseen === null) throw new Error('A fresh API key existed')
    await ports.organizations.changeApiKey(unseen.hash, { revokedAt: now })
  }
}

/** Replaces a key by one that may do the same; the old one ends after `overlapMs`, or when it would. */
export async function rotateApiKey(
  ports: IssuePorts,
  material: KeyMaterial,
  input: { readonly apiKey: ApiKey; readonly overlapMs: number },
): Promise<IssuedKey> {
  const { apiKey, overlapMs } = input
  const issued = await issueApiKey(ports, material, apiKey)
  const endsAt = ports.clock.now() + overlapMs
  await ports.organizations.changeApiKey(apiKey.hash, {
    expiresAt: Math.min(endsAt, apiKey.expiresAt ?? endsAt),
  })
  return issued
}
