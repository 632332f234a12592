import type { SQSClient } from '@aws-sdk/client-sqs'

import { pullQueue } from '#shared/adapters/aws/sqs-pull.ts'
import { sqsQueues } from '#shared/adapters/aws/sqs-queues.ts'
import { configuredVendors } from '#shared/adapters/configured-vendors.ts'
import { consoleLogger } from '#shared/adapters/local/console-logger.ts'
import { fileRecordings } from '#shared/adapters/local/file-recordings.ts'
import { localScheduler } from '#shared/adapters/local/local-scheduler.ts'
import { monotonicClock } from '#shared/adapters/local/monotonic-clock.ts'
import { ulidIds } from '#shared/adapters/local/ulid-ids.ts'
import { webClient } from '#shared/adapters/notify/web-client.ts'
import { simulatedTelephony } from '#shared/adapters/telephony/simulated.ts'
import { configuredTraces } from '#shared/adapters/traces/otlp.ts'
import { queueMessageSchemas } from '#shared/contract/queue-message.ts'
import type { Clock, Timers } from '#shared/ports/clock.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import type { Stores } from '#shared/ports/service-ports.ts'
import { adoptAttempt } from '#shared/use-cases/adopt-attempt.ts'
import { finishSession } from '#shared/use-cases/finish-session.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { suppressNumber } from '#shared/use-cases/suppress-number.ts'
import { toolsOfCall } from '#shared/use-cases/tools-of-call.ts'
import { mediaThreadEntrance } from '#voice/media-worker/media-thread-entrance.ts'
import { startVoiceRuntime } from '#voice/session/runtime.ts'

import { localLanguageModel } from './local-language-model.ts'
import { sqsClient } from './local-queues.ts'
import type { LocalRuntimeSettings } from './local-runtime-settings.ts'
import { openLocalStores } from './local-stores.ts'
import { localVoice } from './local-voice.ts'

const MEDIA_THREAD = new URL('../../voice-runtime/media-thread.ts', import.meta.url)
/** Whoever stops a stack does not wait for its calls to end by themselves. */
const DRAIN_MS = 0
/** The local queues hand a message to a runtime that was killed while it listened: it is not for long. */
const LISTEN_SECS = 1

export interface JoinedRuntime {
  stop(): Promise<void>
}

interface JoinOptions {
  readonly settings: LocalRuntimeSettings
  readonly localUrl: string
  readonly clock: Clock
  readonly timers: Timers
  /** Stores of this very process, where no database runs. */
  readonly stores?: Stores | undefined
}

/**
 * Starts a voice runtime that belongs to a local stack. It reaches the stack as the one on AWS
 * reaches the service: table, queue, carrier and recordings, and nothing else.
 */
export async function joinLocalStack(options: JoinOptions): Promise<JoinedRuntime> {
  const { settings, localUrl, clock, timers } = options
  const client = sqsClient(settings.sqsEndpoint)
  const ports = runtimePorts(options, client)
  const { logger, ids, calls, telephony } = ports
  const toolPorts = { ...ports, toolEndpoints: webClient({ allowLoopback: true, timers }) }
  const voice = localVoice(settings)
  const vendors = configuredVendors(process.env, {
    timers,
    logger,
    model: localLanguageModel(timers),
    simulatedVoice: voice.textToSpeech,
  })
  const runtime = await startVoiceRuntime(
    {
      clock,
      mediaClock: monotonicClock(settings.speed),
      openEntrance: mediaThreadEntrance({ program: MEDIA_THREAD, logger, speed: settings.speed }),
      timers,
      logger,
      ids,
      ...vendors,
      toolsOf: (order, assistant) => toolsOfCall(toolPorts, { order, assistant }),
      calls,
      recordings: fileRecordings({ folder: settings.recordingsFolder, baseUrl: localUrl }),
      telephony,
      adoptAttempt: (input) => adoptAttempt(ports, input),
      finishSession: (input) => finishSession(ports, input),
      startAttempt: (input) => startAttempt(ports, input),
      suppressNumber: (input) => suppressNumber(ports, input),
      observe: observationsTo(localUrl),
      traces: configuredTraces(process.env, { logger, fetch }),
      pull: (consumer) => {
        const abort = new AbortController()
        void pullQueue({
          client,
          url: settings.queueUrls['call-start'] ?? '',
          freeSlots: () => consumer.free(),
          handle: (message) => consumer.handle(queueMessageSchemas['call-start'].parse(message)),
          signal: abort.signal,
          waitSecs: LISTEN_SECS,
          timers,
          logger,
        })
        return { stop: () => abort.abort() }
      },
    },
    {
      owner: `local-${process.pid}`,
      maxSessions: settings.trunk.maxConcurrentCalls,
      // A laptop is busy with other things, too.
      maxLatenessMs: Infinity,
      maxLoopDelayMs: Infinity,
      host: '127.0.0.1',
      port: 0,
      mediaBaseUrl: null,
      mediaTokenSecret: settings.internalSecret,
      drainMs: DRAIN_MS,
    },
  )
  return {
    stop: async () => {
      await runtime.drain()
      vendors.close()
      await voice.close()
      client.destroy()
    },
  }
}

/** What the use cases of a runtime reach the stack through. */
function runtimePorts({ settings, clock, stores }: JoinOptions, client: SQSClient) {
  const urls = settings.queueUrls as Readonly<Record<QueueName, string>>
  const queues = sqsQueues({ client, urls })
  return {
    ...(stores ?? openLocalStores(settings)),
    queues,
    // Nothing that a runtime does has to wait; what waits is asked for by the functions.
    scheduler: localScheduler({ queues }),
    telephony: simulatedTelephony({
      baseUrl: settings.carrierUrl,
      token: settings.internalSecret,
      statusUrl: settings.statusUrl,
    }),
    clock,
    ids: ulidIds({ clock, random: Math.random }),
    logger: consoleLogger({ clock, level: 'warn' }),
    limits: { trunk: settings.trunk, ringTimeoutSecs: settings.ringTimeoutSecs },
  }
}

/** Passes on what is seen of each call, in order, without ever holding a call up. */
function observationsTo(localUrl: string) {
  const last = new Map<string, Promise<unknown>>()
  return (call: { readonly orderId: string }, observation: unknown): void => {
    const send = () =>
      fetch(`${localUrl}/calls/${call.orderId}/observations`, {
        method: 'POST',
        body: JSON.stringify(observation),
      }).catch(() => {})
    const sent = (last.get(call.orderId) ?? Promise.resolve()).then(send)
    last.set(call.orderId, sent)
    void sent.then(() => {
      if (last.get(call.orderId) === sent) last.delete(call.orderId)
    })
  }
}
