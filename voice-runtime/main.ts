import { hostname } from 'node:os'
import path from 'node:path'

import { SQSClient } from '@aws-sdk/client-sqs'

import * as aws from '#functions/compose.ts'
import { pullQueue } from '#shared/adapters/aws/sqs-pull.ts'
import { configuredVendors } from '#shared/adapters/configured-vendors.ts'
import { monotonicClock } from '#shared/adapters/local/monotonic-clock.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import { webClient } from '#shared/adapters/notify/web-client.ts'
import { configuredTraces } from '#shared/adapters/traces/otlp.ts'
import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import { queueMessageSchemas } from '#shared/contract/queue-message.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import { adoptAttempt } from '#shared/use-cases/adopt-attempt.ts'
import { finishSession } from '#shared/use-cases/finish-session.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { suppressNumber } from '#shared/use-cases/suppress-number.ts'
import { toolsOfCall } from '#shared/use-cases/tools-of-call.ts'
import { mediaThreadEntrance } from '#voice/media-worker/media-thread-entrance.ts'
import {
  startVoiceRuntime,
  type VoiceRuntime,
  type VoiceRuntimeDeps,
} from '#voice/session/runtime.ts'

/** What `infra` puts into the environment beside `ServiceEnvironment`. */
interface RuntimeEnvironment {
  readonly MEDIA_PORT: string
  /** Where carriers reach the tasks: `wss://` and a host. */
  readonly MEDIA_BASE_URL: string
  readonly MEDIA_TOKEN_SECRET: string
  readonly SESSIONS_MAX: string
  /** Lateness of frames, and delay of the event loop, beyond which nothing is dialled. */
  readonly LATENESS_MAX_MS: string
  readonly LOOP_DELAY_MAX_MS: string
  readonly DRAIN_SECS: string
  readonly QUEUE_URLS: string
}

const ports = aws.compose({
  assistants: aws.assistants,
  calls: aws.calls,
  campaigns: aws.campaigns,
  clock: aws.clock,
  ids: aws.ids,
  languageModel: aws.languageModel,
  limits: aws.limits,
  logger: aws.logger,
  permits: aws.permits,
  queues: aws.queues,
  recordings: aws.recordings,
  scheduler: aws.scheduler,
  suppressions: aws.suppressions,
  telephony: aws.telephony,
  turns: aws.turns,
  wakes: aws.wakes,
})()

function read(name: keyof RuntimeEnvironment): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`The environment lacks ${name}`)
  return value
}

/** The voice runtime as a task on AWS: takes calls until it is asked to end, then lets them end. */
async function main(): Promise<void> {
  const { logger } = ports
  const runtime = await startVoiceRuntime(runtimeDeps(), {
    owner: `${hostname()}-${process.pid}`,
    maxSessions: Number(read('SESSIONS_MAX')),
    maxLatenessMs: Number(read('LATENESS_MAX_MS')),
    maxLoopDelayMs: Number(read('LOOP_DELAY_MAX_MS')),
    host: '0.0.0.0',
    port: Number(read('MEDIA_PORT')),
    mediaBaseUrl: read('MEDIA_BASE_URL'),
    mediaTokenSecret: read('MEDIA_TOKEN_SECRET'),
    drainMs: Number(read('DRAIN_SECS')) * 1_000,
  })
  logger.info('The voice runtime is ready', { port: runtime.port })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void end(runtime, logger, 0))
  }
  void runtime.lost.then(() => end(runtime, logger, 1))
}

async function end(runtime: VoiceRuntime, logger: Logger, exitCode: number): Promise<void> {
  logger.info('The voice runtime drains', { liveCalls: runtime.liveCalls() })
  await runtime.drain()
  process.exit(exitCode)
}

/** Beside this program, source or bundle. */
function mediaThread(): URL {
  return new URL(`./media-thread${path.extname(import.meta.url)}`, import.meta.url)
}

function runtimeDeps(): VoiceRuntimeDeps {
  const timers = systemTimers
  const { logger } = ports
  const { assistants, clock, ids } = ports
  const toolPorts = {
    assistants,
    clock,
    ids,
    toolEndpoints: webClient({ allowLoopback: false, timers }),
  }
  return {
    clock: ports.clock,
    mediaClock: monotonicClock(),
    openEntrance: mediaThreadEntrance({ program: mediaThread(), logger }),
    timers,
    logger,
    ids: ports.ids,
    ...configuredVendors(process.env, {
      timers,
      logger,
      model: ports.languageModel,
      simulatedVoice: simulatedTones(),
    }),
    toolsOf: (order, assistant) => toolsOfCall(toolPorts, { order, assistant }),
    calls: ports.calls,
    recordings: ports.recordings,
    telephony: ports.telephony,
    adoptAttempt: (input) => adoptAttempt(ports, input),
    finishSession: (input) => finishSession(ports, input),
    startAttempt: (input) => startAttempt(ports, input),
    suppressNumber: (input) => suppressNumber(ports, input),
    traces: configuredTraces(process.env, { logger, fetch }),
    pull: (consumer) => pullCallStarts(consumer, logger),
  }
}

function pullCallStarts(
  consumer: Parameters<VoiceRuntimeDeps['pull']>[0],
  logger: Logger,
): ReturnType<VoiceRuntimeDeps['pull']> {
  const abort = new AbortController()
  const urls = JSON.parse(read('QUEUE_URLS')) as Readonly<Record<QueueName, string>>
  void pullQueue({
    client: new SQSClient({}),
    url: urls['call-start'],
    freeSlots: () => consumer.free(),
    handle: (message) => consumer.handle(queueMessageSchemas['call-start'].parse(message)),
    signal: abort.signal,
    timers: systemTimers,
    logger,
  })
  return { stop: () => abort.abort() }
}

main().catch((error: unknown) => {
  ports.logger.error('The voice runtime could not start', { error })
  process.exitCode = 1
})
