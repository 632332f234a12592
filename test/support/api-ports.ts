import { createHash } from 'node:crypto'

import { ulidIds } from '#shared/adapters/local/ulid-ids.ts'
import { SCOPES } from '#shared/contract/scope.ts'
import { formatApiKey } from '#shared/domain/api-key.ts'
import type { ApiKey } from '#shared/domain/organization.ts'
import { DAY_MS } from '#shared/domain/time.ts'
import type { LogFields } from '#shared/ports/logger.ts'
import type { ServicePorts, Stores } from '#shared/ports/service-ports.ts'

import { NOON } from './an-order.ts'
import { memoryContactUploads } from './memory-contact-uploads.ts'

export type ApiPorts = Stores &
  Pick<
    ServicePorts,
    'clock' | 'contactUploads' | 'ids' | 'limits' | 'logger' | 'queues' | 'recordings' | 'scheduler'
  >

export const ORGANIZATION = 'org_1'

/** Keys by what they are good for. `other` belongs to another organization. */
export const KEYS = Object.fromEntries(
  ['live', 'test', 'readOnly', 'other', 'expired', 'revoked', 'unknown'].map((name, index) => [
    name,
    formatApiKey({ mode: name === 'live' ? 'live' : 'test', entropy: String(index).repeat(30) }),
  ]),
) as Record<'live' | 'test' | 'readOnly' | 'other' | 'expired' | 'revoked' | 'unknown', string>

export interface SeenPorts extends ApiPorts {
  readonly seen: {
    readonly logged: { readonly message: string; readonly fields: LogFields | undefined }[]
    keyReads: number
  }
}

/** What the API's operations reach, over empty stores, at `NOON`, which does not pass. */
export async function apiPorts(stores: Stores): Promise<SeenPorts> {
  const logged: { message: string; fields: LogFields | undefined }[] = []
  const log = (message: string, fields?: LogFields) => void logged.push({ message, fields })
  const seen = { logged, keyReads: 0 }
  const clock = { now: () => NOON }
  let draw = 0
  await addOwners(stores.organizations)
  return {
    seen,
    clock,
    ids: ulidIds({ clock, random: () => (draw = (draw + 0.37) % 1) }),
    logger: { info: log, warn: log, error: log },
    limits: {
      trunk: { id: 'main', maxConcurrentCalls: 10, callsPerSecond: 10 },
      ringTimeoutSecs: 30,
      requestsPerMinute: { default: 1_000_000, calls: 1_000_000, campaigns: 1_000_000 },
    },
    ...stores,
    organizations: {
      ...stores.organizations,
      findApiKey: (hash) => {
        seen.keyReads += 1
        return stores.organizations.findApiKey(hash)
      },
    },
    queues: { send: () => Promise.resolve() },
    scheduler: { schedule: () => Promise.resolve() },
    contactUploads: memoryContactUploads(),
    recordings: {
      put: () => Promise.resolve(),
      url: (key) => Promise.resolve(`https://recordings.example/${key}?signed`),
    },
  }
}

/** Lists of calls are read month by month since an organization began. */
const QUARTER_MS = 90 * DAY_MS

/** Two organizations of one user each, with the keys; `key_1` is of the first. */
async function addOwners(store: ServicePorts['organizations']): Promise<void> {
  const key = (name: keyof typeof KEYS, changes: Partial<ApiKey> = {}): ApiKey => ({
    id: `key_${name}`,
    organizationId: ORGANIZATION,
    userId: 'user_1',
    name,
    hash: createHash('sha256').update(KEYS[name]).digest('hex'),
    hint: KEYS[name].slice(-4),
    mode: 'test',
    scopes: ['*'],
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...changes,
  })
  const user = { firstName: 'Ada', lastName: 'Lovelace', createdAt: 0, updatedAt: 0 }
  const organization = {
    name: 'Example',
    maxConcurrentCalls: 10,
    defaultFromPhoneNumber: '+12025550199',
    webhookSecrets: [],
    createdAt: NOON - QUARTER_MS,
  }
  await store.bootstrap({
    organization: { ...organization, id: ORGANIZATION },
    user: {
      ...user,
      id: 'user_1',
      organizationId: ORGANIZATION,
      email: 'ada@example.com',
      hasCompletedOnboarding: true,
    },
    apiKey: key('live', { id: 'key_1', mode: 'live', expiresAt: NOON + 1 }),
  })
  await store.bootstrap({
    organization: { ...organization, id: 'org_2' },
    user: {
      ...user,
      id: 'user_2',
      organizationId: 'org_2',
      email: 'bob@example.com',
      hasCompletedOnboarding: false,
    },
    apiKey: key('other', { organizationId: 'org_2', userId: 'user_2' }),
  })
  for (const apiKey of [
    key('test', { scopes: SCOPES }),
    key('readOnly', { scopes: SCOPES.filter((scope) => scope.endsWith(':read')) }),
    key('expired', { expiresAt: NOON }),
    key('revoked', { revokedAt: NOON }),
  ]) {
    await store.addApiKey(apiKey)
  }
}
