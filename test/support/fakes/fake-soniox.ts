import { systemTimers } from '#shared/adapters/local/timers.ts'
import type { RecognisedSpeech } from '#shared/audio/clip-recogniser.ts'
import { FRAME_MS, Reframer, SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { estimateWordTimes } from '#shared/audio/word-times.ts'
import type { Timers } from '#shared/ports/clock.ts'

import { clipEars } from './fake-ears.ts'
import type { FakeEars } from './fake-ears.ts'
import { startFakeSocketServer } from './fake-socket-server.ts'
import type {
  FakeConnection,
  FakeConversation,
  FakeServerOptions,
  FakeSocketServer,
} from './fake-socket-server.ts'

export const SONIOX_KEY = 'soniox-key'

/** What goes wrong with the next connection: at once, or when so much audio has come. */
export type SonioxFault =
  | { readonly kind: 'refuse'; readonly status: number }
  | { readonly kind: 'error'; readonly code: number; readonly afterMs?: number }
  | { readonly kind: 'drop'; readonly afterMs?: number }
  /** Says things that make no sense, and goes on as it should. */
  | { readonly kind: 'garbage'; readonly afterMs?: number }
  /** Takes everything and never answers. */
  | { readonly kind: 'mute' }

export interface FakeSonioxOptions extends FakeServerOptions {
  readonly timers?: Timers
  readonly ears?: () => FakeEars
}

/** A server that speaks the protocol of `stt-rt-v4` and `stt-rt-v5` (reference/protocols-media.md 5 and 15). */
export interface FakeSoniox extends FakeSocketServer {
  /** Used by the next connections, one each. */
  fail(...faults: readonly SonioxFault[]): void
}

/** A client that sends nothing for longer than this is cut off. */
const PATIENCE_MS = 20_000
/** Results come this often, also when there is nothing to tell. */
const RESULT_EVERY_MS = 200

export async function startFakeSoniox(options: FakeSonioxOptions = {}): Promise<FakeSoniox> {
  const faults: SonioxFault[] = []
  const { timers = systemTimers, ears = clipEars } = options
  const server = await startFakeSocketServer(
    {
      refuse(request) {
        if (new URL(request.url ?? '/', 'ws://fake').pathname !== '/transcribe-websocket')
          return 404
        if (faults[0]?.kind !== 'refuse') return null
        const { status } = faults[0]
        faults.shift()
        return status
      },
      connect: (connection) =>
        new Transcription({ connection, timers, ears: ears(), fault: faults.shift() ?? null }),
    },
    options,
  )
  const url = `${server.url}/transcribe-websocket`
  return Object.assign(server, {
    url,
    fail: (...more: readonly SonioxFault[]) => void faults.push(...more),
  })
}

class Transcription implements FakeConversation {
  readonly #connection: FakeConnection
  readonly #timers: Timers
  readonly #ears: FakeEars
  readonly #reframer = new Reframer()
  #fault: SonioxFault | null
  #isConfigured = false
  #heardMs = 0
  #finalMs = 0
  #stopWaiting: () => void = () => undefined

  constructor(parts: {
    readonly connection: FakeConnection
    readonly timers: Timers
    readonly ears: FakeEars
    readonly fault: SonioxFault | null
  }) {
    this.#connection = parts.connection
    this.#timers = parts.timers
    this.#ears = parts.ears
    this.#fault = parts.fault
    this.#wait()
  }

  message(message: unknown): void {
    this.#wait()
    if (!this.#isConfigured) return this.#configure(message)
    if (message === '') return this.#finish()
    const { type } = Object(message) as { type?: unknown }
    if (type === 'finalize') return this.#tell(this.#ears.finalize(), '<fin>')
    if (type !== 'keepalive') this.#refuse(400, 'unknown control message')
  }

  binary(bytes: Buffer): void {
    this.#wait()
    if (!this.#isConfigured) return this.#refuse(400, 'audio before the configuration')
    for (const frame of this.#reframer.push(bytes)) {
      this.#heardMs += FRAME_MS
      this.#misbehave()
      this.#tell(this.#ears.push(frame))
      if (this.#heardMs % RESULT_EVERY_MS === 0) this.#send([])
    }
  }

  closed(): void {
    this.#stopWaiting()
  }

  #configure(message: unknown): void {
    const problem = problemWith(message)
    if (problem !== null) return this.#refuse(problem.code, problem.message)
    this.#isConfigured = true
    this.#misbehave()
  }

  #misbehave(): void {
    const fault = this.#fault
    if (fault === null || fault.kind === 'refuse' || fault.kind === 'mute') return
    if (this.#heardMs < (fault.afterMs ?? 0)) return
    this.#fault = null
    if (fault.kind === 'drop') this.#connection.drop()
    if (fault.kind === 'error') this.#refuse(fault.code, 'Cannot continue request (code 1).')
    if (fault.kind === 'garbage') for (const piece of GARBAGE) this.#connection.send(piece)
  }

  #tell(events: readonly RecognisedSpeech[], ending?: '<fin>'): void {
    for (const event of events) {
      if (event.type === 'interim') {
        const startMs = Math.max(0, this.#heardMs - 400)
        this.#send(tokensOf({ ...event, startMs, endMs: this.#heardMs, isFinal: false }))
      } else if (event.type === 'final') {
        const tokens = tokensOf({ ...event, isFinal: true })
        const half = tokens.length >> 1
        this.#finalMs = event.endMs
        // The rest is not final yet when the first half is.
        const rest = tokens.slice(half)
        this.#send([...tokens.slice(0, half), ...rest.map((one) => ({ ...one, is_final: false }))])
        this.#send(rest)
      } else {
        this.#send([{ text: '<end>', is_final: true }])
      }
    }
    if (ending !== undefined) this.#send([{ text: ending, is_final: true }])
  }

  #send(tokens: readonly object[]): void {
    if (this.#fault?.kind === 'mute') return
    this.#connection.send({
      tokens,
      final_audio_proc_ms: this.#finalMs,
      total_audio_proc_ms: this.#heardMs,
    })
  }

  #finish(): void {
    this.#tell(this.#ears.finalize())
    this.#connection.send({ tokens: [], finished: true })
    this.#connection.close()
  }

  #refuse(code: number, message: string): void {
    this.#connection.send({ error_code: code, error_message: message })
    this.#connection.close()
  }

  #wait(): void {
    this.#stopWaiting()
    this.#stopWaiting = this.#timers.after(PATIENCE_MS, () => this.#refuse(408, 'Audio timeout'))
  }
}

const GARBAGE: readonly (string | object)[] = [
  '<html>',
  'null',
  '[]',
  { tokens: 'none' },
  { tokens: [null, 7, { text: 7 }, { is_final: true }], final_audio_proc_ms: 'x' },
  {},
]

interface Token {
  readonly text: string
  readonly start_ms: number
  readonly end_ms: number
  readonly confidence: number
  readonly is_final: boolean
}

/** Parts of words, each with its own times; the first of every word but the first begins with a space. */
function tokensOf(said: {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
  readonly isFinal: boolean
}): Token[] {
  let from = said.startMs
  return estimateWordTimes(said.text, said.endMs - said.startMs).flatMap(({ text, endMs }, at) => {
    const pieces = (at === 0 ? text : ` ${text}`).match(/.{1,4}/gu) ?? []
    const until = said.startMs + endMs
    const stepMs = (until - from) / pieces.length
    const tokens = pieces.map((piece, index) => ({
      text: piece,
      start_ms: Math.round(from + index * stepMs),
      end_ms: Math.round(from + (index + 1) * stepMs),
      confidence: 0.98,
      is_final: said.isFinal,
    }))
    from = until
    return tokens
  })
}

const FIELDS = new Set([
  'api_key',
  'model',
  'audio_format',
  'sample_rate',
  'num_channels',
  'language_hints',
  'language_hints_strict',
  'enable_endpoint_detection',
  'max_endpoint_delay_ms',
  'endpoint_sensitivity',
  'endpoint_latency_adjustment_level',
  'enable_language_identification',
  'enable_speaker_diarization',
  'client_reference_id',
  'context',
])
const CONTEXT_MAX = 10_000

/** What the real server checks before it takes audio. */
function problemWith(message: unknown): { code: number; message: string } | null {
  const config = Object(message) as Readonly<Record<string, unknown>>
  const bad = (text: string) => ({ code: 400, message: text })
  if (typeof config['api_key'] !== 'string') return bad('api_key is required')
  if (config['api_key'] !== SONIOX_KEY) return { code: 401, message: 'Invalid API key' }
  if (!['stt-rt-v4', 'stt-rt-v5'].includes(config['model'] as string)) return bad('unknown model')
  if (config['audio_format'] !== 'mulaw') return bad('this fake only hears mulaw')
  if (config['sample_rate'] !== SAMPLES_PER_MS * 1_000) return bad('sample_rate is required')
  if (config['num_channels'] !== 1) return bad('num_channels is required')
  const unknown = Object.keys(config).find((name) => !FIELDS.has(name))
  if (unknown !== undefined) return bad(`unknown field ${unknown}`)
  const delay = config['max_endpoint_delay_ms']
  if (typeof delay === 'number' && (delay < 500 || delay > 3_000)) return bad('endpoint delay')
  if (JSON.stringify(config['context'] ?? {}).length > CONTEXT_MAX) return bad('context too long')
  const reference = config['client_reference_id']
  if (typeof reference === 'string' && reference.length > 256) return bad('reference too long')
  return null
}
