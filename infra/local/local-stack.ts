import path from 'node:path'

import { consoleLogger } from '#shared/adapters/local/console-logger.ts'
import { testClock, type TestClock } from '#shared/adapters/local/test-clock.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import { BASE_PATH } from '#shared/contract/route.ts'
import type { Stores } from '#shared/ports/service-ports.ts'
import { startTicker } from '#voice/media-worker/ticker.ts'

import { recordedCalleeSound } from './carrier/callee-sound.ts'
import { simulatedCarrier, type SimulatedCarrier } from './carrier/simulated-carrier.ts'
import { ClockWatchers } from './clock-watchers.ts'
import { startClockWork } from './clock-work.ts'
import { openDataFolder } from './data-folder.ts'
import { startDatabase, missingJava } from './database.ts'
import { LiveFeed } from './live-feed.ts'
import { localApi } from './local-api.ts'
import { localConsumers, localGateway } from './local-handlers.ts'
import { localPorts, SIMULATED_TRUNK } from './local-ports.ts'
import { startLocalQueues } from './local-queues.ts'
import type { LocalRuntimeSettings } from './local-runtime-settings.ts'
import { joinLocalStack } from './local-runtime.ts'
import { LOCAL_PATH, openLocalServer } from './local-server.ts'
import { createLocalTable, openLocalStores } from './local-stores.ts'
import { startQueuePump } from './queue-pump.ts'
import { resume } from './resume.ts'
import { superviseRuntime } from './runtime-supervisor.ts'
import { seedOrganization } from './seed-organization.ts'
import { Teardown } from './teardown.ts'
import { WebhookInbox } from './webhook-inbox.ts'

/** A process that stood still for longer than this has callees who missed something. */
const SOUND_MADE_UP_MS = 5_000

export interface LocalStackOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** Undefined: `.parley` here, or a temporary folder when that is in use. */
  readonly dataFolder?: string | undefined
  /** How the agent sounds: words for people, or tones from which a test reads the exact words. */
  readonly voice: 'speech' | 'tones'
  /** How many times as fast as real time everything goes. */
  readonly speed: number
  readonly ringTimeoutSecs: number
  /** `own`: in a process of its own, kept alive; `none`: somebody runs `npm run voice-runtime`. */
  readonly voiceRuntime: 'own' | 'none'
  /** Told what the person at the keyboard should know, one sentence each. */
  readonly notice: (sentence: string) => void
  /** Ends the start, which rejects then. */
  readonly signal: AbortSignal
}

export interface LocalStack {
  readonly baseUrl: string
  readonly localUrl: string
  readonly webhookInboxUrl: string
  readonly apiKey: string
  readonly webhookSecret: string
  readonly recordingsFolder: string
  stop(): Promise<void>
}

/** Starts the whole service on this machine. Throws StartFailure with a sentence for the user. */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const teardown = new Teardown()
  const { signal } = options
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([start(options, teardown), aborted.promise])
  } catch (error) {
    await teardown.run()
    throw error
  }
}

async function start(options: LocalStackOptions, teardown: Teardown): Promise<LocalStack> {
  const ground = await openGround(options, teardown)
  const { server, folder, clock, queues, settings, localUrl } = ground
  const stores = openLocalStores(settings)
  const logger = consoleLogger({ clock, level: 'warn' })
  const ports = localPorts({ ...queues, stores, clock, timers: clock, logger, settings, localUrl })
  await seedOrganization(ports, folder.state)

  const inboundUrl = `${server.origin}${BASE_PATH}/inbound-calls/simulated`
  const carrier = openCarrier({ settings, clock, inboundUrl })
  teardown.add(() => carrier.close())
  const watchers = new ClockWatchers(() => clock.now(), systemTimers)
  teardown.add(() => watchers.close())
  const feed = new LiveFeed()
  teardown.add(() => feed.close())
  const clockWork = startClockWork({
    messagesLeft: () => queues.messagesLeft(),
    timetables: [queues.scheduler, carrier],
    clock,
    ports,
    speed: options.speed,
    // One that somebody runs follows the clock.
    hasRuntime: () => options.voiceRuntime === 'own' || watchers.size > 0,
    onAdvance: () => {
      watchers.tellAll()
      folder.saveClock(Math.max(0, clock.now() - Date.now()))
    },
  })
  teardown.add(() => clockWork.stop())
  const pump = startQueuePump({
    ...queues,
    handlers: localConsumers(ports),
    logger,
    timers: systemTimers,
  })
  teardown.add(() => pump.stop())
  const inbox = new WebhookInbox()
  server.mount({
    gateway: localGateway(ports),
    local: localApi({ clock, watchers, feed, clockWork, carrier, settings, inbox }),
  })
  await resume(ports)
  await startRuntime({ options, settings, localUrl, clock, stores, teardown })
  return {
    baseUrl: server.origin + BASE_PATH,
    localUrl,
    webhookInboxUrl: `${localUrl}/webhooks`,
    apiKey: folder.state.apiKey,
    webhookSecret: folder.state.webhookSecret,
    recordingsFolder: settings.recordingsFolder,
    stop: () => teardown.run(),
  }
}

/** What everything else stands on: port, data folder, clock, database, queues. */
async function openGround(options: LocalStackOptions, teardown: Teardown) {
  const server = await openLocalServer(options.port)
  teardown.add(() => server.stop())
  const folder = openDataFolder(options.dataFolder, '.parley')
  teardown.add(() => folder.release())
  const clock = testClock({
    start: Date.now() + folder.state.clockAheadMs,
    speed: options.speed,
    elapsedMs: () => performance.now(),
    timers: systemTimers,
  })
  const databaseEndpoint = await openDatabase(folder.path, options, teardown)
  const queues = await startLocalQueues(clock)
  teardown.add(() => queues.stop())
  const localUrl = server.origin + LOCAL_PATH
  const settings: LocalRuntimeSettings = {
    sqsEndpoint: queues.endpoint,
    queueUrls: queues.urls,
    databaseEndpoint,
    carrierUrl: `${localUrl}/carrier`,
    statusUrl: `${server.origin}${BASE_PATH}/carrier-events/simulated`,
    internalSecret: folder.state.internalSecret,
    recordingsFolder: path.join(folder.path, 'recordings'),
    contactsFolder: path.join(folder.path, 'contacts'),
    voice: options.voice,
    speed: options.speed,
    ringTimeoutSecs: options.ringTimeoutSecs,
    trunk: SIMULATED_TRUNK,
  }
  return { server, folder, clock, queues, settings, localUrl }
}

function openCarrier(options: {
  readonly settings: LocalRuntimeSettings
  readonly clock: TestClock
  readonly inboundUrl: string
}): SimulatedCarrier {
  const { settings, clock, inboundUrl } = options
  // Sound passes evenly, also when the clock is put forward, and nobody's microphone ever stops.
  const mediaClock = { now: () => performance.now() * settings.speed }
  const ticker = startTicker({ clock: mediaClock, timers: clock, makesUpMs: SOUND_MADE_UP_MS })
  return simulatedCarrier({
    basePath: `${LOCAL_PATH}/carrier`,
    token: settings.internalSecret,
    eventSecret: settings.internalSecret,
    ringTimeoutSecs: settings.ringTimeoutSecs,
    inboundUrl,
    sound: recordedCalleeSound(),
    clock,
    timers: clock,
    every20ms: (run) => ticker.join(run),
  })
}

async function startRuntime(context: {
  readonly options: LocalStackOptions
  readonly settings: LocalRuntimeSettings
  readonly localUrl: string
  readonly clock: TestClock
  readonly stores: Stores
  readonly teardown: Teardown
}): Promise<void> {
  const { options, settings, localUrl, clock, stores, teardown } = context
  if (options.voiceRuntime === 'none') return
  if (settings.databaseEndpoint !== null) {
    options.signal.throwIfAborted()
    return superviseRuntime(localUrl, teardown)
  }
  // Records in this process's memory can only be reached from this process.
  const runtime = await joinLocalStack({ settings, localUrl, clock, timers: clock, stores })
  teardown.add(() => runtime.stop())
}

/** Null when records are kept in memory. */
async function openDatabase(
  folder: string,
  { notice }: LocalStackOptions,
  teardown: Teardown,
): Promise<string | null> {
  const reason = await missingJava(teardown)
  if (reason !== null) {
    notice(`${reason} Records are kept in memory and are gone at the end.`)
    return null
  }
  const endpoint = await startDatabase(folder, teardown)
  await createLocalTable(endpoint)
  return endpoint
}
