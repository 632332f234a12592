import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { CallStore } from '#shared/ports/call-store.ts'
import type { QueueMessages } from '#shared/ports/queues.ts'
import type { StartResult } from '#shared/use-cases/start-attempt.ts'

import type { OpenEntrance } from '../media-worker/media-entrance.ts'
import { AwaitedCalls, keyOf } from './awaited-calls.ts'
import { startLiveCall } from './live-call.ts'
import type { LiveCall, LiveCallDeps } from './live-call.ts'
import { signMediaToken, verifyMediaToken } from './media-token.ts'

/** A phone rings for up to a minute or so; nobody may bring media to an attempt much later. */
const TOKEN_LIFETIME_MS = 15 * 60_000
/** Answered calls are taken beyond the planned number, up to this multiple of it. */
const OVERLOAD = 2
const POLL_MS = 100
/** The event loop is looked at so often, and judged by so much time. */
const LOOP_RESOLUTION_MS = 20
const LOOP_WINDOW_MS = 2_000
/** What remains of a call after it was asked to end: a farewell, and storing. */
const END_GRACE_MS = 10_000

type CallStart = QueueMessages['call-start']

export interface VoiceRuntimeDeps extends LiveCallDeps {
  /** Where carriers bring the media of calls. */
  readonly openEntrance: OpenEntrance
  readonly calls: LiveCallDeps['calls'] & Pick<CallStore, 'findAttempt'>
  /** Receives `call-start` messages from now on, never more than `free()` at once. */
  readonly pull: (consumer: CallStartConsumer) => { stop(): void }
  readonly startAttempt: (
    input: CallStart & { readonly owner: string; readonly mediaUrl: string },
  ) => Promise<StartResult>
}

export interface CallStartConsumer {
  /** How many more calls this process may start now. */
  free(): number
  /** A message whose handling rejects must come again. */
  handle(message: CallStart): Promise<void>
}

export interface VoiceRuntimeConfig {
  /** Names this process in claims. */
  readonly owner: string
  /** Calls planned at once: 50 per processor (reference/media-spikes.md 0). */
  readonly maxSessions: number
  /** Nothing is dialled while the latest hundredth of the frames is later than this, in ms... */
  readonly maxLatenessMs: number
  /** ...or the main thread lets its events wait for longer than this. */
  readonly maxLoopDelayMs: number
  readonly host: string
  readonly port: number
  /** Where carriers reach the media server, for example `wss://voice.example.com`; null: directly. */
  readonly mediaBaseUrl: string | null
  readonly mediaTokenSecret: string
  /** How long answered calls may go on after `drain()`. */
  readonly drainMs: number
}

export interface VoiceRuntime {
  readonly port: number
  /** Calls that are live in this process. */
  liveCalls(): number
  /** Resolves when no media can arrive any more, because of a fault. */
  readonly lost: Promise<void>
  /** Starts nothing new, lets answered calls end within the bound, then ends them. */
  drain(): Promise<void>
}

/** Dials the attempts that are handed to this process, and holds the calls whose media arrives. */
export async function startVoiceRuntime(
  deps: VoiceRuntimeDeps,
  config: VoiceRuntimeConfig,
): Promise<VoiceRuntime> {
  const { clock } = deps
  const live = new Map<string, LiveCall>()
  /** Calls that were dialled and may still bring media here. */
  const awaited = new AwaitedCalls(deps)
  /** Messages that are being worked on: between a claim and the carrier's answer. */
  let dialling = 0

  const entrance = await deps.openEntrance({
    host: config.host,
    port: config.port,
    maxSockets: config.maxSessions * OVERLOAD,
    verify: (token) => verifyMediaToken(token, config.mediaTokenSecret, clock.now()),
    onArrival: (arrival) => {
      const key = keyOf(arrival)
      awaited.remove(arrival)
      const call = startLiveCall(deps, arrival)
      live.set(key, call)
      void call.ended.finally(() => {
        if (live.get(key) === call) live.delete(key)
      })
    },
  })
  const baseUrl = config.mediaBaseUrl ?? `ws://${config.host}:${entrance.port}`
  const loop = watchEventLoop()
  const isOverloaded = () =>
    entrance.lateness().p99Ms > config.maxLatenessMs || loop.delayMs() > config.maxLoopDelayMs

  const pulling = deps.pull({
    free: () => (isOverloaded() ? 0 : Math.max(0, config.maxSessions - live.size - awaited.size)),
    async handle({ orderId, number }) {
      const claim = { orderId, number, expiresAt: clock.now() + TOKEN_LIFETIME_MS }
      const mediaUrl = `${baseUrl}/media/${signMediaToken(claim, config.mediaTokenSecret)}`
      awaited.add(claim)
      dialling += 1
      try {
        const answer = await deps.startAttempt({ orderId, number, owner: config.owner, mediaUrl })
        if (answer !== 'dialled') awaited.remove(claim)
      } catch (error) {
        awaited.remove(claim)
        throw error
      } finally {
        dialling -= 1
      }
    },
  })

  void entrance.lost.then(() => pulling.stop())

  return {
    port: entrance.port,
    lost: entrance.lost,
    liveCalls: () => live.size,
    async drain() {
      pulling.stop()
      // Not for phones that ring: whoever answers one now is served by another process, or by none.
      await waitWhile(() => live.size + dialling > 0, config.drainMs, deps)
      for (const call of live.values()) call.requestEnd()
      await waitWhile(() => live.size > 0, END_GRACE_MS, deps)
      loop.stop()
      await entrance.close()
    },
  }
}

/** How long events of this thread have waited at the longest, of late. */
function watchEventLoop(): { delayMs(): number; stop(): void } {
  const histogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  histogram.enable()
  let delayMs = 0
  const timer = setInterval(() => {
    delayMs = histogram.percentile(99) / 1e6 - LOOP_RESOLUTION_MS
    histogram.reset()
  }, LOOP_WINDOW_MS)
  timer.unref()
  return {
    delayMs: () => delayMs,
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

async function waitWhile(
  isSo: () => boolean,
  maxMs: number,
  deps: Pick<VoiceRuntimeDeps, 'clock' | 'timers'>,
): Promise<void> {
  const until = deps.clock.now() + maxMs
  while (isSo() && deps.clock.now() < until) {
    await new Promise<void>((resolve) => deps.timers.after(POLL_MS, resolve))
  }
}
