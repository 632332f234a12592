import { fileContactUploads } from '#shared/adapters/local/file-contact-uploads.ts'
import { fileRecordings } from '#shared/adapters/local/file-recordings.ts'
import type { LocalScheduler } from '#shared/adapters/local/local-scheduler.ts'
import { ulidIds } from '#shared/adapters/local/ulid-ids.ts'
import { signWebhook } from '#shared/adapters/notify/sign-webhook.ts'
import { webClient } from '#shared/adapters/notify/web-client.ts'
import { simulatedCarrierEvents } from '#shared/adapters/telephony/simulated-event.ts'
import { simulatedTelephony } from '#shared/adapters/telephony/simulated.ts'
import type { Clock, Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { Queues } from '#shared/ports/queues.ts'
import type { ServicePorts, Stores } from '#shared/ports/service-ports.ts'

import { localLanguageModel } from './local-language-model.ts'
import type { LocalRuntimeSettings } from './local-runtime-settings.ts'

/** The one line of the simulated carrier: as many calls as a laptop holds, none of them paced. */
export const SIMULATED_TRUNK = { id: 'simulated', maxConcurrentCalls: 50, callsPerSecond: 50 }

/** So many that no demo and no test meets them; the ones of production are the service's default. */
const REQUESTS_PER_MINUTE = { default: 1_000_000, calls: 1_000_000, campaigns: 1_000_000 }

/** Fictional as well; they behave like everybody who is on no list of test numbers. */
const NUMBER_POOL = Array.from({ length: 10 }, (_, index) => `+1202555019${index}`).slice(0, -1)

/** The service's ports on one machine. */
export function localPorts(options: {
  readonly stores: Stores
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
  readonly queues: Queues
  readonly scheduler: LocalScheduler
  readonly settings: LocalRuntimeSettings
  readonly localUrl: string
}): ServicePorts {
  const { clock, timers, settings } = options
  return {
    ...options.stores,
    clock,
    logger: options.logger,
    queues: options.queues,
    scheduler: options.scheduler,
    ids: ulidIds({ clock, random: Math.random }),
    languageModel: localLanguageModel(timers),
    contactUploads: fileContactUploads({
      folder: settings.contactsFolder,
      baseUrl: `${options.localUrl}/contacts`,
    }),
    recordings: fileRecordings({
      folder: settings.recordingsFolder,
      baseUrl: `${options.localUrl}/recordings`,
    }),
    telephony: simulatedTelephony({
      baseUrl: settings.carrierUrl,
      token: settings.internalSecret,
      statusUrl: settings.statusUrl,
    }),
    carrierEvents: simulatedCarrierEvents({ secret: settings.internalSecret }),
    webClient: webClient({ allowLoopback: true, timers }),
    webhookSigner: {
      // Receivers check the timestamp against their own clock, which no test clock moves.
      sign: (message) => signWebhook({ ...message, at: Date.now() }),
    },
    limits: {
      trunk: settings.trunk,
      numberPool: NUMBER_POOL,
      ringTimeoutSecs: settings.ringTimeoutSecs,
      allowPlainHttp: true,
      requestsPerMinute: REQUESTS_PER_MINUTE,
    },
  }
}
