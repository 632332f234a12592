import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'

import type { SQSBatchResponse } from 'aws-lambda'

import type { QueueHandler } from '#functions/middleware/queue.ts'
import { recordedCalleeSound } from '#infra/local/carrier/callee-sound.ts'
import {
  simulatedCarrier,
  type SimulatedCarrierOptions,
} from '#infra/local/carrier/simulated-carrier.ts'
import { ClockWatchers } from '#infra/local/clock-watchers.ts'
import { LiveFeed } from '#infra/local/live-feed.ts'
import { localApi } from '#infra/local/local-api.ts'
import { SIMULATED_TRUNK } from '#infra/local/local-ports.ts'
import { startLocalQueues } from '#infra/local/local-queues.ts'
import type { LocalRuntimeSettings } from '#infra/local/local-runtime-settings.ts'
import { LOCAL_PATH, openLocalServer } from '#infra/local/local-server.ts'
import { createLocalTable, openLocalStores } from '#infra/local/local-stores.ts'
import { startQueuePump } from '#infra/local/queue-pump.ts'
import { seedOrganization } from '#infra/local/seed-organization.ts'
import { Teardown } from '#infra/local/teardown.ts'
import { WebhookInbox } from '#infra/local/webhook-inbox.ts'
import { testClock } from '#shared/adapters/local/test-clock.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import { ulidIds } from '#shared/adapters/local/ulid-ids.ts'
import { formatApiKey } from '#shared/domain/api-key.ts'
import { SWEEP_INTERVAL_MS } from '#shared/domain/lease.ts'
import { QUEUE_DEFINITIONS } from '#shared/ports/queue-definitions.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import { startDynamoDb } from '#test/support/dynamodb.ts'
import { temporaryFolder } from '#test/support/local-stack.ts'
import { startTicker } from '#voice/media-worker/ticker.ts'

const SECRET = 'the secret of this stage'
const RING_TIMEOUT_SECS = 5
const SOUND_MADE_UP_MS = 5_000
const API_KEY = formatApiKey({ mode: 'test', entropy: 'k'.repeat(30) })

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>

/** The service's own processes, as AWS sees them. */
export interface Functions {
  /** Where they answer HTTP; null while they do not. */
  readonly functionsPort: number | null
  /** Resolves when they do. */
  ready(): Promise<void>
}

/**
 * What is left of the service when its own processes are killed: table, queues with their pollers,
 * sweep timer, and whoever stands outside, the carrier above all.
 */
export async function startSurroundings(options: {
  readonly speed: number
  readonly functions: Functions
  /** What becomes of a dial. */
  readonly planDial: SimulatedCarrierOptions['planDial']
  readonly trunk?: LocalRuntimeSettings['trunk']
}) {
  const teardown = new Teardown()
  const folder = temporaryFolder()
  teardown.add(() => folder.remove())
  const database = await startDynamoDb()
  teardown.add(() => database.stop())
  await createLocalTable(database.endpoint)
  const clock = testClock({
    start: Date.now(),
    speed: options.speed,
    elapsedMs: () => performance.now(),
    timers: systemTimers,
  })
  const queues = await startLocalQueues(clock)
  teardown.add(() => queues.stop())
  const server = await openLocalServer(0)
  teardown.add(() => server.stop())
  const localUrl = server.origin + LOCAL_PATH
  const settings: LocalRuntimeSettings = {
    sqsEndpoint: queues.endpoint,
    queueUrls: queues.urls,
    databaseEndpoint: database.endpoint,
    carrierUrl: `${localUrl}/carrier`,
    statusUrl: `${server.origin}/v1/carrier-events/simulated`,
    internalSecret: SECRET,
    recordingsFolder: path.join(folder.path, 'recordings'),
    contactsFolder: path.join(folder.path, 'contacts'),
    voice: 'tones',
    speed: options.speed,
    ringTimeoutSecs: RING_TIMEOUT_SECS,
    trunk: options.trunk ?? SIMULATED_TRUNK,
  }
  const stores = openLocalStores(settings)
  const ids = ulidIds({ clock, random: Math.random })
  const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const owner = { format: 1, apiKey: API_KEY, webhookSecret, internalSecret: SECRET } as const
  await seedOrganization({ ...stores, clock, ids }, { ...owner, clockAheadMs: 0 })

  const watchers = new ClockWatchers(() => clock.now(), systemTimers)
  teardown.add(() => watchers.close())
  const carrier = openCarrier(options, clock)
  teardown.add(() => carrier.close())
  const inbox = new WebhookInbox()
  const feed = new LiveFeed()
  teardown.add(() => feed.close())
  const clockWork = { walkTo: () => Promise.reject(new Error('Time is not put forward here')) }
  server.mount({
    gateway: (request, response) => forward(options.functions.functionsPort, request, response),
    local: localApi({ clock, watchers, feed, clockWork, carrier, settings, inbox }),
  })
  const pump = startQueuePump({
    ...queues,
    handlers: invocationsOf(options.functions),
    // A batch whose process was killed is no trouble here.
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    timers: systemTimers,
  })
  teardown.add(() => pump.stop())
  const sweeps = setInterval(
    () => void queues.queues.send('dispatch', { sweep: true }),
    SWEEP_INTERVAL_MS / options.speed,
  )
  teardown.add(() => clearInterval(sweeps))
  return {
    clock,
    stores,
    inbox,
    localUrl,
    databaseEndpoint: database.endpoint,
    baseUrl: `${server.origin}/v1`,
    apiKey: API_KEY,
    webhookInboxUrl: `${localUrl}/webhooks`,
    /** How often the carrier was asked to dial an attempt that it had dialled before. */
    repeatedDials: () => carrier.repeatedDials(),
    stop: () => teardown.run(),
  }
}

type StageClock = ReturnType<typeof testClock>

function openCarrier(
  { speed, planDial }: Pick<Parameters<typeof startSurroundings>[0], 'speed' | 'planDial'>,
  clock: StageClock,
) {
  const mediaClock = { now: () => performance.now() * speed }
  const ticker = startTicker({ clock: mediaClock, timers: clock, makesUpMs: SOUND_MADE_UP_MS })
  const carrier = simulatedCarrier({
    basePath: `${LOCAL_PATH}/carrier`,
    token: SECRET,
    eventSecret: SECRET,
    ringTimeoutSecs: RING_TIMEOUT_SECS,
    sound: recordedCalleeSound(),
    clock,
    timers: clock,
    every20ms: (run) => ticker.join(run),
    ...(planDial !== undefined && { planDial }),
  })
  let repeated = 0
  return {
    handle: (request: IncomingMessage, response: ServerResponse) => {
      response.once('finish', () => {
        if (response.statusCode === 409) repeated += 1
      })
      carrier.handle(request, response)
    },
    repeatedDials: () => repeated,
    close: () => carrier.close(),
  }
}

/** Lambda's part: a batch goes to the functions as soon as they are up; one that dies with it fails. */
function invocationsOf(functions: Functions): Partial<Record<QueueName, QueueHandler>> {
  const invoke =
    (queue: QueueName): QueueHandler =>
    async (batch) => {
      await functions.ready()
      const url = `http://127.0.0.1:${functions.functionsPort}/invoke/${queue}`
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(batch) })
      return (await answer.json()) as SQSBatchResponse
    }
  const consumed = Object.entries(QUEUE_DEFINITIONS).filter(
    ([, { maxConcurrency }]) => maxConcurrency !== null,
  )
  return Object.fromEntries(consumed.map(([name]) => [name, invoke(name as QueueName)]))
}

/** Plays API Gateway's part: nobody answers while no function runs. */
function forward(port: number | null, request: IncomingMessage, response: ServerResponse): void {
  const fail = () => {
    if (!response.headersSent) response.writeHead(503)
    response.end()
  }
  if (port === null) return fail()
  const { method, url, headers } = request
  const forwarded = httpRequest({ port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.once('error', () => response.destroy())
    answer.pipe(response)
  })
  forwarded.once('error', fail)
  request.pipe(forwarded)
}
