/**
 * The ports of the service on AWS: one maker each, named like its port. A function names the makers
 * of the ports it uses, so that its bundle holds these and nothing else.
 */

import { KMSClient } from '@aws-sdk/client-kms'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { SQSClient } from '@aws-sdk/client-sqs'

import { eventBridgeScheduler } from '#shared/adapters/aws/eventbridge-scheduler.ts'
import { kmsSecretBox } from '#shared/adapters/aws/kms-secret-box.ts'
import { powertoolsLogger } from '#shared/adapters/aws/powertools-logger.ts'
import { s3Bucket } from '#shared/adapters/aws/s3-bucket.ts'
import { s3ContactUploads } from '#shared/adapters/aws/s3-contact-uploads.ts'
import { s3Recordings } from '#shared/adapters/aws/s3-recordings.ts'
import { sqsQueues } from '#shared/adapters/aws/sqs-queues.ts'
import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import { endpointFor, type LlmEndpointConfig } from '#shared/adapters/llm/llm-endpoint.ts'
import { systemClock } from '#shared/adapters/local/system-clock.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import { ulidIds } from '#shared/adapters/local/ulid-ids.ts'
import { guardedFetch } from '#shared/adapters/notify/guarded-fetch.ts'
import { signWebhook } from '#shared/adapters/notify/sign-webhook.ts'
import { webClient as publicWebClient } from '#shared/adapters/notify/web-client.ts'
import { simulatedCarrierEvents } from '#shared/adapters/telephony/simulated-event.ts'
import { simulatedTelephony } from '#shared/adapters/telephony/simulated.ts'
import { dynamoAssistantStore } from '#shared/data/assistant-store.ts'
import { dynamoCallSearch } from '#shared/data/call-search.ts'
import { dynamoCallStore } from '#shared/data/call-store.ts'
import { dynamoCampaignStore } from '#shared/data/campaign-store.ts'
import { documentClient } from '#shared/data/document-client.ts'
import type { DynamoTable } from '#shared/data/dynamo-table.ts'
import { dynamoIdempotencyStore } from '#shared/data/idempotency-store.ts'
import { dynamoOrganizationStore } from '#shared/data/organization-store.ts'
import { dynamoPacing } from '#shared/data/pacing.ts'
import { dynamoPermits } from '#shared/data/permits.ts'
import { dynamoPhoneNumberStore } from '#shared/data/phone-number-store.ts'
import { dynamoRateLimits } from '#shared/data/rate-limits.ts'
import { dynamoRecordStore, sealedForm } from '#shared/data/record-store.ts'
import { suppressions as suppressionsOver } from '#shared/data/suppressions.ts'
import { dynamoTurns } from '#shared/data/turns.ts'
import { dynamoWakes } from '#shared/data/wakes.ts'
import { dynamoWebhookStore } from '#shared/data/webhook-store.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import type { SecretBox } from '#shared/ports/secret-box.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/** What the stacks of `infra` put into the environment of the functions and of the voice runtime. */
export interface ServiceEnvironment {
  readonly TABLE_NAME: string
  /** Of the KMS key that customers' secrets are sealed with. */
  readonly SECRETS_KEY_ARN: string
  readonly RECORDINGS_BUCKET: string
  readonly CONTACTS_BUCKET: string
  /** JSON: queue name to URL. */
  readonly QUEUE_URLS: string
  /** JSON: queue name to ARN. */
  readonly QUEUE_ARNS: string
  readonly SCHEDULE_GROUP: string
  readonly SCHEDULE_ROLE_ARN: string
  /** JSON: `LlmEndpointConfig`. */
  readonly LLM_ENDPOINTS: string
  readonly CARRIER_URL: string
  readonly CARRIER_TOKEN: string
  readonly CARRIER_EVENT_SECRET: string
  readonly CARRIER_STATUS_URL: string
  /** JSON: `ServiceLimits`. */
  readonly LIMITS: string
}

/** What makers make ports of. */
export interface Means {
  /** Throws when the environment lacks the variable. */
  readonly read: (name: keyof ServiceEnvironment) => string
  /** What a maker makes, once for all that ask for it. */
  readonly one: <T>(make: Maker<T>) => T
}

type Maker<T> = (means: Means) => T
type MakerOf<Name extends keyof ServicePorts> = Maker<ServicePorts[Name]>

/**
 * Gives the ports of these makers, the same ones each time. Each is made when it is first used, so
 * that no request waits for one that it does not need.
 */
export function compose<Name extends keyof ServicePorts>(makers: {
  readonly [Each in Name]: MakerOf<Each>
}): (environment?: NodeJS.ProcessEnv) => Pick<ServicePorts, Name> {
  let composed: Pick<ServicePorts, Name> | undefined
  return (environment = process.env) =>
    (composed ??= madeWhenUsed(makers, meansOf(environment)) as Pick<ServicePorts, Name>)
}

function meansOf(environment: NodeJS.ProcessEnv): Means {
  const made = new Map<Maker<unknown>, unknown>()
  const means: Means = {
    read: (name) => {
      const value = environment[name]
      if (value === undefined) throw new Error(`The environment lacks ${name}`)
      return value
    },
    one: <T>(make: Maker<T>) => {
      if (!made.has(make)) made.set(make, make(means))
      return made.get(make) as T
    },
  }
  return means
}

/** An object whose properties are made when they are first read. */
function madeWhenUsed(makers: Readonly<Record<string, Maker<unknown>>>, means: Means): object {
  const ports = {}
  for (const [name, make] of Object.entries(makers)) {
    Object.defineProperty(ports, name, { enumerable: true, get: () => means.one(make) })
  }
  return ports
}

const table: Maker<DynamoTable> = ({ read }) => ({
  client: documentClient(),
  tableName: read('TABLE_NAME'),
})
const secretBox: Maker<SecretBox> = ({ read }) =>
  kmsSecretBox({ client: new KMSClient({}), keyId: read('SECRETS_KEY_ARN'), clock: systemClock })

export const assistants: MakerOf<'assistants'> = ({ one }) =>
  dynamoAssistantStore(one(table), one(secretBox))
export const calls: MakerOf<'calls'> = ({ one }) => dynamoCallStore(one(table))
export const callSearch: MakerOf<'callSearch'> = ({ one }) => dynamoCallSearch(one(table))
export const campaigns: MakerOf<'campaigns'> = ({ one }) => dynamoCampaignStore(one(table))
export const connections: MakerOf<'connections'> = ({ one }) =>
  dynamoRecordStore(one(table), 'CONN', sealedForm(one(secretBox)))
export const organizations: MakerOf<'organizations'> = ({ one }) =>
  dynamoOrganizationStore(one(table))
export const pacing: MakerOf<'pacing'> = ({ one }) => dynamoPacing(one(table))
export const permits: MakerOf<'permits'> = ({ one }) => dynamoPermits(one(table))
export const phoneNumbers: MakerOf<'phoneNumbers'> = ({ one }) => dynamoPhoneNumberStore(one(table))
export const rateLimits: MakerOf<'rateLimits'> = ({ one }) => dynamoRateLimits(one(table))
export const suppressions: MakerOf<'suppressions'> = ({ one }) =>
  suppressionsOver(dynamoRecordStore(one(table), 'SUPP'))
export const turns: MakerOf<'turns'> = ({ one }) => dynamoTurns(one(table))
export const wakes: MakerOf<'wakes'> = ({ one }) => dynamoWakes(one(table))
export const webhookEndpoints: MakerOf<'webhookEndpoints'> = ({ one }) =>
  dynamoRecordStore(one(table), 'WHEP')
export const webhooks: MakerOf<'webhooks'> = ({ one }) => dynamoWebhookStore(one(table))

/** For functions none of whose answers holds a secret. */
export const idempotency: MakerOf<'idempotency'> = ({ one }) =>
  dynamoIdempotencyStore(one(table), null)
/** For functions that answer secrets, which are sealed as long as they are kept for repetitions. */
export const sealedIdempotency: MakerOf<'idempotency'> = ({ one }) =>
  dynamoIdempotencyStore(one(table), one(secretBox))

export const clock: MakerOf<'clock'> = () => systemClock
export const ids: MakerOf<'ids'> = () => ulidIds({ clock: systemClock, random: Math.random })
export const logger: MakerOf<'logger'> = () => powertoolsLogger({ serviceName: 'parley' })
export const limits: MakerOf<'limits'> = ({ read }) =>
  JSON.parse(read('LIMITS')) as ServicePorts['limits']

/** What every HTTP operation is surrounded with; with `idempotency` or `sealedIdempotency`. */
export const http = { clock, ids, limits, logger, rateLimits }

type QueueMap = Readonly<Record<QueueName, string>>

export const queues: MakerOf<'queues'> = ({ read }) =>
  sqsQueues({ client: new SQSClient({}), urls: JSON.parse(read('QUEUE_URLS')) as QueueMap })
export const scheduler: MakerOf<'scheduler'> = ({ read }) =>
  eventBridgeScheduler({
    client: new SchedulerClient({}),
    clock: systemClock,
    groupName: read('SCHEDULE_GROUP'),
    roleArn: read('SCHEDULE_ROLE_ARN'),
    targetArns: JSON.parse(read('QUEUE_ARNS')) as QueueMap,
  })

const bucketNamed = ({ read, one }: Means, variable: 'RECORDINGS_BUCKET' | 'CONTACTS_BUCKET') =>
  s3Bucket({ name: read(variable), config: one(table).client.config })
export const recordings: MakerOf<'recordings'> = (means) =>
  s3Recordings(bucketNamed(means, 'RECORDINGS_BUCKET'))
export const contactUploads: MakerOf<'contactUploads'> = (means) =>
  s3ContactUploads(bucketNamed(means, 'CONTACTS_BUCKET'))

export const telephony: MakerOf<'telephony'> = ({ read }) =>
  simulatedTelephony({
    baseUrl: read('CARRIER_URL'),
    token: read('CARRIER_TOKEN'),
    statusUrl: read('CARRIER_STATUS_URL'),
  })
export const carrierEvents: MakerOf<'carrierEvents'> = ({ read }) =>
  simulatedCarrierEvents({ secret: read('CARRIER_EVENT_SECRET') })

/** Users' addresses lead to the public network only (decisions 4). */
const ADDRESSES = { allowLoopback: false }

export const languageModel: MakerOf<'languageModel'> = ({ read }) => {
  const endpoints = JSON.parse(read('LLM_ENDPOINTS')) as LlmEndpointConfig
  return chatCompletions({
    resolve: (model) => endpointFor(model, endpoints),
    fetch: (url, init) => fetch(url, init),
    guardedFetch: guardedFetch(ADDRESSES),
    timers: systemTimers,
  })
}
export const webClient: MakerOf<'webClient'> = () =>
  publicWebClient({ ...ADDRESSES, timers: systemTimers })
export const webhookSigner: MakerOf<'webhookSigner'> = () => ({
  sign: (message) => signWebhook({ ...message, at: Date.now() }),
})
