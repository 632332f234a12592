/** The voice runtime under measurement: everything of it is real but the table and the store. */

import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import { endpointFor } from '#shared/adapters/llm/llm-endpoint.ts'
import { monotonicClock } from '#shared/adapters/local/monotonic-clock.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import { sonioxSpeechToText } from '#shared/adapters/stt/soniox.ts'
import { cartesiaProtocol } from '#shared/adapters/tts/cartesia.ts'
import { vendorVoice } from '#shared/adapters/tts/vendor-voice.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { RecordedSound } from '#shared/ports/recordings.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { anOrder } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { CARTESIA_KEY } from '#test/support/fakes/fake-cartesia.ts'
import { SONIOX_KEY } from '#test/support/fakes/fake-soniox.ts'
import { noRealtimeModel } from '#test/unit/voice-runtime/session/scripted-vendors.ts'
import type { MediaEntrance, OpenEntrance } from '#voice/media-worker/media-entrance.ts'
import { mediaThreadEntrance } from '#voice/media-worker/media-thread-entrance.ts'
import { startVoiceRuntime } from '#voice/session/runtime.ts'
import type { CallStartConsumer, VoiceRuntime } from '#voice/session/runtime.ts'

import { now } from './monotonic.ts'
import { spreadOf } from './samples.ts'
import type { Spread } from './samples.ts'
import type { VendorUrls } from './vendor-fakes.ts'

export type ToRuntime =
  | { readonly type: 'start'; readonly urls: VendorUrls }
  | { readonly type: 'dial'; readonly session: number }
  | { readonly type: 'measure' }
  /** Occupies the main thread for so long, again and again. */
  | { readonly type: 'block'; readonly ms: number; readonly everyMs: number }
  | { readonly type: 'report' }
  | { readonly type: 'memory' }

export type FromRuntime =
  | { readonly type: 'started' }
  | { readonly type: 'dialled'; readonly session: number; readonly url: string }
  | { readonly type: 'measured' }
  | { readonly type: 'reported'; readonly report: RuntimeReport }
  | { readonly type: 'memory'; readonly rssMb: number; readonly liveCalls: number }

export interface RuntimeReport {
  readonly liveCalls: number
  /** Of one processor, all threads together. */
  readonly cpuPercent: number
  readonly mainLoopPercent: number
  readonly rssMb: number
  readonly heapMb: number
  /** Of the ticker of the media thread, every frame: the worst second's, and the worst frame. */
  readonly tickerLatenessP99: Spread
  readonly tickerLatenessMaxMs: number
  /** Free places: 0 when it takes no further calls. */
  readonly free: number
  readonly llmDecisions: readonly (readonly [session: number, at: number])[]
}

const MAX_SESSIONS = 1_000
const LATENESS_EVERY_MS = 1_000
const quiet = {
  info: () => undefined,
  warn: (message: string, fields?: unknown) => console.error('warn', message, fields),
  error: (message: string, fields?: unknown) => console.error('error', message, fields),
}

let runtime: VoiceRuntime | null = null
let entrance: MediaEntrance | null = null
let consumer: CallStartConsumer | null = null
let cpu = process.cpuUsage()
let since = now()
let utilization = performance.eventLoopUtilization()
let decisions: [number, number][] = []
let latenesses: { p99Ms: number; maxMs: number }[] = []
let blocking: NodeJS.Timeout | null = null

const send = (message: FromRuntime) => process.send?.(message)

function assistantOf(llmUrl: string) {
  return assistantSettings({
    prompt: 'You are Ava from Northwind Dental, in session {{session}}. Answer questions.',
    firstSentence: 'Hello, this is Ava from Northwind Dental.',
    firstSentenceMode: 'static',
    maxCallDurationSecs: 3_600,
    llmModel: { type: 'custom', apiUrl: llmUrl, apiKey: 'key', modelName: 'fake' },
  })
}

/** Notes when the conversation asks for an answer. */
function noting(model: LanguageModel): LanguageModel {
  return {
    stream(request, signal) {
      const session = /session (\d+)/.exec(request.messages[0]?.content ?? '')?.[1]
      decisions.push([Number(session), now()])
      return model.stream(request, signal)
    },
  }
}

async function start(urls: VendorUrls): Promise<void> {
  const timers = systemTimers
  const clock = monotonicClock()
  const assistant = assistantOf(urls.llm)
  const languageModel = chatCompletions({
    resolve: (model) => endpointFor(model, { dedicated: {}, router: null }),
    fetch,
    guardedFetch: fetch,
    timers,
  })
  const openThread = mediaThreadEntrance({
    program: new URL('../../../voice-runtime/media-thread.ts', import.meta.url),
    logger: quiet,
  })
  const openEntrance: OpenEntrance = async (config) => (entrance = await openThread(config))
  let ids = 0
  runtime = await startVoiceRuntime(
    {
      openEntrance,
      clock: { now: () => Date.now() },
      mediaClock: clock,
      timers,
      logger: quiet,
      ids: { next: (prefix) => `${prefix}_${(ids += 1)}`, random: Math.random },
      speechToText: sonioxSpeechToText({
        apiKey: SONIOX_KEY,
        url: urls.stt,
        timers,
        logger: quiet,
      }),
      realtimeModel: noRealtimeModel,
      textToSpeech: vendorVoice({
        protocol: cartesiaProtocol({ apiKey: CARTESIA_KEY, url: urls.tts }),
        timers,
        logger: quiet,
        defaultVoice: { id: 'voice-1', provider: 'voice_provider_1' },
      }),
      languageModel: noting(languageModel),
      toolsOf: () => ({ call: async () => ({ output: '', isError: true }) }),
      suppressNumber: async () => {},
      calls: {
        extendLease: async () => true,
        appendTranscript: async () => undefined,
        findAttempt: async () => anAttempt(),
      },
      recordings: { put: (_key, wav) => readAll(wav) },
      telephony: { hangUp: async () => undefined },
      adoptAttempt: async ({ orderId }) => ({
        kind: 'adopted',
        order: { ...anOrder(), promptVariables: { session: orderId } },
        attempt: anAttempt(),
        assistant,
        fence: 1,
      }),
      finishSession: async () => ({ kind: 'ignored', reason: 'a benchmark' }),
      async startAttempt({ orderId, mediaUrl }) {
        send({ type: 'dialled', session: Number(orderId), url: mediaUrl })
        return 'dialled'
      },
      pull(given) {
        consumer = given
        return { stop: () => undefined }
      },
    },
    {
      owner: 'benchmark',
      maxSessions: MAX_SESSIONS,
      maxLatenessMs: 10,
      maxLoopDelayMs: 50,
      host: '127.0.0.1',
      port: 0,
      mediaBaseUrl: null,
      mediaTokenSecret: 'secret',
      drainMs: 0,
    },
  )
  setInterval(() => {
    if (entrance !== null) latenesses.push(entrance.lateness())
  }, LATENESS_EVERY_MS)
  send({ type: 'started' })
}

async function readAll(wav: RecordedSound): Promise<void> {
  for await (const chunk of wav.chunks()) void chunk
}

function measure(): void {
  cpu = process.cpuUsage()
  since = now()
  utilization = performance.eventLoopUtilization()
  decisions = []
  latenesses = []
}

const toMb = (bytes: number) => Math.round(bytes / 104_857.6) / 10

function report(): RuntimeReport {
  const used = process.cpuUsage(cpu)
  const memory = process.memoryUsage()
  return {
    liveCalls: runtime?.liveCalls() ?? 0,
    cpuPercent: Math.round((used.user + used.system) / (now() - since)) / 10,
    mainLoopPercent:
      Math.round(performance.eventLoopUtilization(utilization).utilization * 1_000) / 10,
    rssMb: toMb(memory.rss),
    heapMb: toMb(memory.heapUsed),
    tickerLatenessP99: spreadOf(latenesses.map(({ p99Ms }) => p99Ms)),
    tickerLatenessMaxMs: Math.max(0, ...latenesses.map(({ maxMs }) => maxMs)),
    free: consumer?.free() ?? 0,
    llmDecisions: decisions,
  }
}

function block(ms: number, everyMs: number): void {
  if (blocking !== null) clearInterval(blocking)
  blocking =
    ms === 0
      ? null
      : setInterval(() => {
          const until = now() + ms
          while (now() < until) continue
        }, everyMs)
}

process.on('message', (message: ToRuntime) => {
  switch (message.type) {
    case 'start':
      return void start(message.urls)
    case 'dial':
      return void consumer?.handle({ orderId: String(message.session), number: 1 })
    case 'measure':
      measure()
      return send({ type: 'measured' })
    case 'block':
      return block(message.ms, message.everyMs)
    case 'report':
      return send({ type: 'reported', report: report() })
    case 'memory':
      globalThis.gc?.()
      return send({
        type: 'memory',
        rssMb: toMb(process.memoryUsage().rss),
        liveCalls: runtime?.liveCalls() ?? 0,
      })
  }
})
process.on('disconnect', () => process.exit(0))
