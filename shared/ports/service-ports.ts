import type { Connection } from '#shared/domain/connection.ts'
import type { RateClass } from '#shared/domain/rate-limit.ts'
import type { WebhookEndpoint } from '#shared/domain/webhook-endpoint.ts'

import type { AssistantStore } from './assistant-store.ts'
import type { CallSearch } from './call-search.ts'
import type { CallStore } from './call-store.ts'
import type { CampaignStore } from './campaign-store.ts'
import type { CarrierEvents } from './carrier-events.ts'
import type { Clock } from './clock.ts'
import type { ContactUploads } from './contact-uploads.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import type { Ids } from './ids.ts'
import type { LanguageModel } from './language-model.ts'
import type { Logger } from './logger.ts'
import type { OrganizationStore } from './organization-store.ts'
import type { Pacing } from './pacing.ts'
import type { Permits } from './permits.ts'
import type { PhoneNumberStore } from './phone-number-store.ts'
import type { Queues } from './queues.ts'
import type { RateLimits } from './rate-limits.ts'
import type { RecordStore } from './record-store.ts'
import type { Recordings } from './recordings.ts'
import type { Scheduler } from './scheduler.ts'
import type { Suppressions } from './suppressions.ts'
import type { Telephony } from './telephony.ts'
import type { TurnStore } from './turn-store.ts'
import type { Wakes } from './wakes.ts'
import type { WebClient } from './web-client.ts'
import type { WebhookSigner } from './webhook-signer.ts'
import type { WebhookStore } from './webhook-store.ts'

/** Everything that use cases reach the world through; each of them takes the few it needs. */
export interface ServicePorts {
  readonly assistants: AssistantStore
  readonly calls: CallStore
  readonly callSearch: CallSearch
  readonly campaigns: CampaignStore
  readonly carrierEvents: CarrierEvents
  readonly clock: Clock
  readonly connections: RecordStore<Connection>
  readonly contactUploads: ContactUploads
  readonly idempotency: IdempotencyStore
  readonly ids: Ids
  readonly languageModel: LanguageModel
  readonly logger: Logger
  readonly organizations: OrganizationStore
  readonly pacing: Pacing
  readonly permits: Permits
  readonly phoneNumbers: PhoneNumberStore
  readonly queues: Queues
  readonly rateLimits: RateLimits
  readonly recordings: Recordings
  readonly scheduler: Scheduler
  readonly suppressions: Suppressions
  readonly telephony: Telephony
  readonly turns: TurnStore
  readonly wakes: Wakes
  readonly webClient: WebClient
  readonly webhookEndpoints: RecordStore<WebhookEndpoint>
  readonly webhookSigner: WebhookSigner
  readonly webhooks: WebhookStore
  readonly limits: ServiceLimits
}

/** What one deployment allows. */
export interface ServiceLimits {
  /** The one outgoing line of this version. */
  readonly trunk: {
    readonly id: string
    readonly maxConcurrentCalls: number
    readonly callsPerSecond: number
  }
  /** Numbers of the line that organizations may take (POST /phone-numbers), in E.164. */
  readonly numberPool?: readonly string[]
  /** How long a phone may ring before the carrier gives up. */
  readonly ringTimeoutSecs: number
  /** Whether customers may name plain `http:` addresses: on the local stack only (decisions 4). */
  readonly allowPlainHttp?: boolean
  /** Of one organization; absent: `DEFAULT_REQUESTS_PER_MINUTE`. */
  readonly requestsPerMinute?: Readonly<Record<RateClass, number>>
}

/** The part of the ports that remembers. */
export type Stores = Pick<
  ServicePorts,
  | 'assistants'
  | 'calls'
  | 'callSearch'
  | 'campaigns'
  | 'connections'
  | 'idempotency'
  | 'organizations'
  | 'pacing'
  | 'permits'
  | 'phoneNumbers'
  | 'rateLimits'
  | 'suppressions'
  | 'turns'
  | 'wakes'
  | 'webhookEndpoints'
  | 'webhooks'
>
