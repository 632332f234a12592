import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { SQSClient } from '@aws-sdk/client-sqs'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

import { eventBridgeScheduler } from '#shared/adapters/aws/eventbridge-scheduler.ts'
import { powertoolsLogger } from '#shared/adapters/aws/powertools-logger.ts'
import { ONCE, s3ContactUploads } from '#shared/adapters/aws/s3-contact-uploads.ts'
import { s3Recordings } from '#shared/adapters/aws/s3-recordings.ts'
import { sqsQueues } from '#shared/adapters/aws/sqs-queues.ts'
import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import { endpointFor, type LlmEndpointConfig } from '#shared/adapters/llm/llm-endpoint.ts'
import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { systemClock } from '#shared/adapters/local/system-clock.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import { ulidIds } from '#shared/adapters/local/ulid-ids.ts'
import { guardedFetch } from '#shared/adapters/notify/guarded-fetch.ts'
import { signWebhook } from '#shared/adapters/notify/sign-webhook.ts'
import { webClient } from '#shared/adapters/notify/web-client.ts'
import { simulatedCarrierEvents } from '#shared/adapters/telephony/simulated-event.ts'
import { simulatedTelephony } from '#shared/adapters/telephony/simulated.ts'
import { documentClient } from '#shared/data/document-client.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import type { ContactUploads } from '#shared/ports/contact-uploads.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import type { Recordings } from '#shared/ports/recordings.ts'
import type { ServicePorts, Stores } from '#shared/ports/service-ports.ts'

/** What the stacks of `infra` put into the environment of the functions and of the voice runtime. */
export interface ServiceEnvironment {
  readonly TABLE_NAME: string
  /** What customers' secrets are sealed with; asked for when there is one to seal or to open. */
  readonly SECRETS_KEY: string
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
  readonly TRUNK_MAX_CONCURRENT_CALLS: string
  readonly TRUNK_CALLS_PER_SECOND: string
  readonly RING_TIMEOUT_SECS: string
}

type ReadEnvironment = (name: keyof ServiceEnvironment) => string
type PortMakers = { readonly [Name in keyof ServicePorts]: () => ServicePorts[Name] }

let composed: ServicePorts | undefined

/**
 * The ports of the service on AWS, once per process. Each is built when it is first used, so that
 * every function is given the environment, the secrets and the rights of the ports it uses, and no
 * others. A variable that is missing throws at that moment.
 */
export function compose(environment: NodeJS.ProcessEnv = process.env): ServicePorts {
  return (composed ??= builtWhenUsed(
    portMakers((name) => {
      const value = environment[name]
      if (value === undefined) throw new Error(`The environment lacks ${name}`)
      return value
    }),
  ))
}

function portMakers(read: ReadEnvironment): PortMakers {
  const allowLoopback = false
  let opened: Stores | undefined
  const stores = () =>
    (opened ??= dynamoStores(
      { client: documentClient(), tableName: read('TABLE_NAME') },
      localSecretBox({ secret: () => read('SECRETS_KEY') }),
    ))
  return {
    assistants: () => stores().assistants,
    calls: () => stores().calls,
    callSearch: () => stores().callSearch,
    campaigns: () => stores().campaigns,
    connections: () => stores().connections,
    idempotency: () => stores().idempotency,
    organizations: () => stores().organizations,
    pacing: () => stores().pacing,
    permits: () => stores().permits,
    phoneNumbers: () => stores().phoneNumbers,
    rateLimits: () => stores().rateLimits,
    suppressions: () => stores().suppressions,
    turns: () => stores().turns,
    wakes: () => stores().wakes,
    webhookEndpoints: () => stores().webhookEndpoints,
    webhooks: () => stores().webhooks,
    clock: () => systemClock,
    ids: () => ulidIds({ clock: systemClock, random: Math.random }),
    logger: () => powertoolsLogger({ serviceName: 'parley' }),
    queues: () =>
      sqsQueues({ client: new SQSClient({}), urls: JSON.parse(read('QUEUE_URLS')) as QueueMap }),
    scheduler: () =>
      eventBridgeScheduler({
        client: new SchedulerClient({}),
        clock: systemClock,
        groupName: read('SCHEDULE_GROUP'),
        roleArn: read('SCHEDULE_ROLE_ARN'),
        targetArns: JSON.parse(read('QUEUE_ARNS')) as QueueMap,
      }),
    languageModel: () => {
      const endpoints = JSON.parse(read('LLM_ENDPOINTS')) as LlmEndpointConfig
      return chatCompletions({
        resolve: (model) => endpointFor(model, endpoints),
        fetch: (url, init) => fetch(url, init),
        guardedFetch: guardedFetch({ allowLoopback }),
        timers: systemTimers,
      })
    },
    contactUploads: () => contactUploadsIn(read('CONTACTS_BUCKET')),
    recordings: () => recordingsIn(read('RECORDINGS_BUCKET')),
    telephony: () =>
      simulatedTelephony({
        baseUrl: read('CARRIER_URL'),
        token: read('CARRIER_TOKEN'),
        statusUrl: read('CARRIER_STATUS_URL'),
      }),
    carrierEvents: () => simulatedCarrierEvents({ secret: read('CARRIER_EVENT_SECRET') }),
    webClient: () => webClient({ allowLoopback, timers: systemTimers }),
    webhookSigner: () => ({ sign: (message) => signWebhook({ ...message, at: Date.now() }) }),
    limits: () => ({
      trunk: {
        id: 'simulated',
        maxConcurrentCalls: Number(read('TRUNK_MAX_CONCURRENT_CALLS')),
        callsPerSecond: Number(read('TRUNK_CALLS_PER_SECOND')),
      },
      ringTimeoutSecs: Number(read('RING_TIMEOUT_SECS')),
    }),
  }
}

type QueueMap = Readonly<Record<QueueName, string>>

function recordingsIn(bucket: string): Recordings {
  const client = new S3Client({})
  return s3Recordings({
    client,
    bucket,
    presign: ({ bucket: Bucket, key: Key, expiresInSecs: expiresIn }) =>
      getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn }),
  })
}

function contactUploadsIn(bucket: string): ContactUploads {
  const client = new S3Client({})
  return s3ContactUploads({
    client,
    bucket,
    presignPut: ({ bucket: Bucket, key: Key, expiresInSecs: expiresIn }) => {
      const command = new PutObjectCommand({ Bucket, Key, IfNoneMatch: ONCE['if-none-match'] })
      return getSignedUrl(client, command, { expiresIn })
    },
  })
}

/** An object whose properties are made when they are first read. */
function builtWhenUsed<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const built = {} as T
  for (const name of Object.keys(makers) as (keyof T)[]) {
    Object.defineProperty(built, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = makers[name]()
        Object.defineProperty(built, name, { value, enumerable: true })
        return value
      },
    })
  }
  return built
}
