/** Everything around the voice runtime in a benchmark: carriers, callees and vendors. */

import { monitorEventLoopDelay } from 'node:perf_hooks'

import { FRAME_MS } from '#shared/audio/frame.ts'

import { CarrierCall } from './carrier-call.ts'
import { beat, now } from './monotonic.ts'
import { PieceLateness } from './piece-lateness.ts'
import { Samples } from './samples.ts'
import type { Spread } from './samples.ts'
import { startVendorFakes } from './vendor-fakes.ts'
import type { Certificate, VendorUrls } from './vendor-fakes.ts'

export type ToWorld =
  | { readonly type: 'start'; readonly tls: Certificate }
  | { readonly type: 'call'; readonly session: number; readonly url: string }
  | { readonly type: 'measure' }
  | { readonly type: 'report' }
  | { readonly type: 'hangUp' }

export type FromWorld =
  | { readonly type: 'started'; readonly urls: VendorUrls }
  | { readonly type: 'reported'; readonly report: WorldReport }
  | { readonly type: 'hungUp' }

/** Ms, as seen from outside the runtime. */
export interface WorldReport {
  readonly openCalls: number
  readonly droppedCalls: number
  readonly turns: number
  readonly interruptions: number
  readonly pieceLateness: Spread
  readonly frameToRecogniser: Spread
  readonly sentenceToTts: Spread
  readonly ttsToWire: Spread
  readonly interruptionToClear: Spread
  /** Turns that were heard; when their request came is to be compared with when it was decided. */
  readonly turnsHeard: readonly TurnHeard[]
  readonly eventLoopDelayP99: number
  readonly cpuPercent: number
}

export interface TurnHeard {
  readonly session: number
  readonly requestAt: number
  /** From the first sentence to the voice's request, and from its audio to the wire. */
  readonly ttsMs: number
  readonly wireMs: number
}

interface Turn {
  requestAt: number | null
  sentenceAt: number | null
  ttsMs: number | null
  audioAt: number | null
  stopAt: number | null
}

const SLOTS = 4

const calls = new Map<number, CarrierCall>()
const turns = new Map<number, Turn>()
const samples = {
  piece: new Samples(),
  frame: new Samples(),
  tts: new Samples(),
  wire: new Samples(),
  clear: new Samples(),
}
const lateness = new PieceLateness((ms) => samples.piece.add(ms))
const loop = monitorEventLoopDelay({ resolution: 10 })
let turnsHeard: TurnHeard[] = []
let dropped = 0
let isHangingUp = false
let cpu = process.cpuUsage()
let since = now()

function turnOf(session: number): Turn {
  let turn = turns.get(session)
  if (turn === undefined) {
    turn = { requestAt: null, sentenceAt: null, ttsMs: null, audioAt: null, stopAt: null }
    turns.set(session, turn)
  }
  return turn
}

const send = (message: FromWorld) => process.send?.(message)

const listener = {
  onHeard(session: number, frame: number) {
    const sentAt = calls.get(session)?.sentAt
    if (sentAt !== undefined) samples.frame.add(now() - sentAt[frame % sentAt.length]!)
  },
  onInterruption(session: number) {
    turnOf(session).stopAt = now()
  },
  onLlmRequest(session: number) {
    const fresh = { requestAt: now(), sentenceAt: null, ttsMs: null, audioAt: null }
    Object.assign(turnOf(session), fresh)
  },
  onSentence(session: number) {
    turnOf(session).sentenceAt = now()
  },
  onTtsRequest(session: number) {
    const turn = turnOf(session)
    if (turn.sentenceAt === null) return
    turn.ttsMs = now() - turn.sentenceAt
    samples.tts.add(turn.ttsMs)
  },
  onTtsAudio(session: number) {
    turnOf(session).audioAt = now()
  },
}

function startCall(session: number, url: string): void {
  const call = new CarrierCall({
    session,
    url,
    onAudio(call, bytes) {
      lateness.note(session, bytes)
      const turn = turnOf(call.session)
      if (turn.audioAt === null) return
      const wireMs = now() - turn.audioAt
      samples.wire.add(wireMs)
      const { requestAt, ttsMs } = turn
      if (requestAt !== null && ttsMs !== null)
        turnsHeard.push({ session, requestAt, ttsMs, wireMs })
      Object.assign(turn, { audioAt: null, requestAt: null })
    },
    onClear(call) {
      lateness.restart(session)
      const turn = turnOf(call.session)
      if (turn.stopAt !== null) samples.clear.add(now() - turn.stopAt)
      turn.stopAt = null
    },
    onClosed(call) {
      calls.delete(call.session)
      if (!isHangingUp) dropped += 1
      else if (calls.size === 0) send({ type: 'hungUp' })
    },
  })
  calls.set(session, call)
}

let slot = 0
beat(FRAME_MS / SLOTS, () => {
  slot = (slot + 1) % SLOTS
  for (const call of calls.values()) if (call.session % SLOTS === slot) call.tick()
})

function measure(): void {
  for (const each of Object.values(samples)) each.clear()
  turnsHeard = []
  dropped = 0
  loop.reset()
  cpu = process.cpuUsage()
  since = now()
}

function report(): WorldReport {
  const used = process.cpuUsage(cpu)
  return {
    openCalls: calls.size,
    droppedCalls: dropped,
    turns: turnsHeard.length,
    interruptions: samples.clear.summary.count,
    pieceLateness: samples.piece.summary,
    frameToRecogniser: samples.frame.summary,
    sentenceToTts: samples.tts.summary,
    ttsToWire: samples.wire.summary,
    interruptionToClear: samples.clear.summary,
    turnsHeard,
    eventLoopDelayP99: Math.round(loop.percentile(99) / 1e4) / 100 - 10,
    cpuPercent: Math.round((used.user + used.system) / 10 / (now() - since)),
  }
}

process.on('message', (message: ToWorld) => {
  switch (message.type) {
    case 'start':
      loop.enable()
      return void startVendorFakes(message.tls, listener).then((urls) =>
        send({ type: 'started', urls }),
      )
    case 'call':
      isHangingUp = false
      return startCall(message.session, message.url)
    case 'measure':
      return measure()
    case 'report':
      return send({ type: 'reported', report: report() })
    case 'hangUp':
      isHangingUp = true
      if (calls.size === 0) send({ type: 'hungUp' })
      for (const call of calls.values()) call.close()
  }
})
process.on('disconnect', () => process.exit(0))
