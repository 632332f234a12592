import type { CallStore } from '#shared/ports/call-store.ts'
import type { QueueMessages } from '#shared/ports/queues.ts'
import type { StartResult } from '#shared/use-cases/start-attempt.ts'

import { AwaitedCalls, keyOf } from './awaited-calls.ts'
import { startLiveCall } from './live-call.ts'
import type { LiveCall, LiveCallDeps } from './live-call.ts'
import { startMediaServer } from './media-server.ts'
import type { MediaArrival } from './media-server.ts'
import { signMediaToken } from './media-token.ts'
import { startTicker } from './ticker.ts'

/** A phone rings for up to a minute or so; nobody may bring media to an attempt much later. */
const TOKEN_LIFETIME_MS = 15 * 60_000
/** Answered calls are taken beyond the planned number, up to this multiple of it. */
const OVERLOAD = 2
const POLL_MS = 100
/** What remains of a call after it was asked to end: a farewell, and storing. */
const END_GRACE_MS = 10_000

type CallStart = QueueMessages['call-start']

export interface VoiceRuntimeDeps extends Omit<LiveCallDeps, 'ticker'> {
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
  /** Starts nothing new, lets answered calls end within the bound, then ends them. */
  drain(): Promise<void>
}

/** Dials the attempts that are handed to this process, and holds the calls whose media arrives. */
export async function startVoiceRuntime(
  deps: VoiceRuntimeDeps,
  config: VoiceRuntimeConfig,
): Promise<VoiceRuntime> {
  const { clock } = deps
  const ticker = startTicker({ clock: deps.mediaClock, timers: deps.timers })
  const live = new Map<string, LiveCall>()
  /** Calls that were dialled and may still bring media here. */
  const awaited = new AwaitedCalls(deps)
  /** Messages that are being worked on: between a claim and the carrier's answer. */
  let dialling = 0

  const server = await startMediaServer(
    deps,
    {
      host: config.host,
      port: config.port,
      tokenSecret: config.mediaTokenSecret,
      maxSockets: config.maxSessions * OVERLOAD,
    },
    (arrival: MediaArrival) => {
      const key = keyOf(arrival)
      awaited.remove(arrival)
      const call = startLiveCall({ ...deps, ticker }, arrival)
      live.set(key, call)
      void call.ended.finally(() => {
        if (live.get(key) === call) live.delete(key)
      })
    },
  )
  const baseUrl = config.mediaBaseUrl ?? `ws://${config.host}:${server.port}`

  const pulling = deps.pull({
    free: () => Math.max(0, config.maxSessions - live.size - awaited.size),
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

  return {
    port: server.port,
    liveCalls: () => live.size,
    async drain() {
      pulling.stop()
      // Not for phones that ring: whoever answers one now is served by another process, or by none.
      await waitWhile(() => live.size + dialling > 0, config.drainMs, deps)
      for (const call of live.values()) call.requestEnd()
      await waitWhile(() => live.size > 0, END_GRACE_MS, deps)
      await server.close()
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
