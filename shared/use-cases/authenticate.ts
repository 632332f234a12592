import { checkApiKey } from '#shared/domain/api-key.ts'
import type { ApiKey } from '#shared/domain/organization.ts'
import { MINUTE_MS } from '#shared/domain/time.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/** How exactly it is kept when a key was last used: not every request is worth a write. */
const LAST_USE_MS = 60 * MINUTE_MS

/**
 * Finds the key that a request was made with; null when there is none that is good now. A text that
 * cannot be a key is refused without a read.
 */
export async function authenticate(
  ports: Pick<ServicePorts, 'organizations' | 'clock'> & {
    /** SHA-256 in hex: what is stored instead of the key. */
    readonly hash: (text: string) => string
  },
  presented: string,
): Promise<ApiKey | null> {
  if (checkApiKey(presented) === null) return null
  const apiKey = await ports.organizations.findApiKey(ports.hash(presented))
  if (apiKey === null || apiKey.revokedAt !== null) return null
  const now = ports.clock.now()
  if (apiKey.expiresAt !== null && apiKey.expiresAt <= now) return null
  if (apiKey.lastUsedAt === null || now - apiKey.lastUsedAt >= LAST_USE_MS) {
    await noteUse(ports, apiKey, now)
  }
  return apiKey
}

/** Nobody is turned away because a note could not be made. */
async function noteUse(
  ports: Pick<ServicePorts, 'organizations'>,
  { hash }: ApiKey,
  now: number,
): Promise<void> {
  try {
    await ports.organizations.changeApiKey(hash, { lastUsedAt: now })
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
  }
}
