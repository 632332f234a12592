import type { IncomingMessage } from 'node:http'

import type { FakePace, SpeechFault, SpokenChunk } from './fake-mouth.ts'
import { startFakeSocketServer } from './fake-socket-server.ts'
import type {
  FakeConnection,
  FakeConversation,
  FakeServerOptions,
  FakeSocketServer,
} from './fake-socket-server.ts'
import { FakeVoiceContext } from './fake-voice-context.ts'

export const CARTESIA_KEY = 'cartesia-key'

export interface FakeVoiceOptions extends FakeServerOptions {
  readonly pace?: FakePace
  /** Contexts of the account at once. */
  readonly maxContexts?: number
}

export interface FakeVoice extends FakeSocketServer {
  /** Used by the next texts that are spoken, one each. */
  fail(...faults: readonly SpeechFault[]): void
  /** Contexts that are open now. */
  openContexts(): number
}

/** voice_provider_1 on loopback (reference/protocols-media.md 6 and 15). */
export async function startFakeCartesia(options: FakeVoiceOptions = {}): Promise<FakeVoice> {
  const faults: SpeechFault[] = []
  const account = { contexts: 0, maxContexts: options.maxContexts ?? Infinity }
  const server = await startFakeSocketServer(
    {
      refuse,
      connect: (connection) =>
        new CartesiaSocket(connection, account, () => faults.shift() ?? null, options.pace),
    },
    options,
  )
  return Object.assign(server, {
    url: `${server.url}/tts/websocket`,
    fail: (...more: readonly SpeechFault[]) => void faults.push(...more),
    openContexts: () => account.contexts,
  })
}

function refuse(request: IncomingMessage): number | null {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'ws://fake')
  if (pathname !== '/tts/websocket') return 404
  const bearer = request.headers.authorization?.replace(/^Bearer /, '')
  const key = request.headers['x-api-key'] ?? bearer ?? searchParams.get('api_key')
  if (key !== CARTESIA_KEY) return 401
  const version = request.headers['cartesia-version'] ?? searchParams.get('cartesia_version')
  return /^\d{4}-\d{2}-\d{2}$/.test(String(version)) ? null : 400
}

interface Context {
  readonly voice: FakeVoiceContext
  /** What may not change within a context. */
  readonly fixed: string
  isFinished: boolean
  flushes: number
}

class CartesiaSocket implements FakeConversation {
  readonly #connection: FakeConnection
  readonly #account: { contexts: number; readonly maxContexts: number }
  readonly #nextFault: () => SpeechFault | null
  readonly #pace: FakePace | undefined
  readonly #contexts = new Map<string, Context>()

  constructor(
    connection: FakeConnection,
    account: { contexts: number; readonly maxContexts: number },
    nextFault: () => SpeechFault | null,
    pace?: FakePace,
  ) {
    this.#connection = connection
    this.#account = account
    this.#nextFault = nextFault
    this.#pace = pace
  }

  message(message: unknown): void {
    const request = Object(message) as Readonly<Record<string, unknown>>
    const id = request['context_id']
    if (typeof id !== 'string' || id === '') return this.#error(null, 400, 'context_id is required')
    if (request['cancel'] === true) return this.#cancel(id)
    const problem = problemWith(request)
    if (problem !== null) return this.#error(id, 400, problem)
    const context = this.#contexts.get(id) ?? this.#open(id, request)
    if (context === null) return this.#error(id, 429, 'Too many concurrent requests')
    if (context.fixed !== fixedOf(request)) {
      return this.#error(id, 400, 'voice, model and language are fixed per context')
    }
    if (context.isFinished) return this.#error(id, 400, 'the context is finished')
    this.#generate(id, context, request)
  }

  closed(): void {
    this.#account.contexts -= this.#contexts.size
    this.#contexts.clear()
  }

  #open(id: string, request: Readonly<Record<string, unknown>>): Context | null {
    if (this.#account.contexts >= this.#account.maxContexts) return null
    this.#account.contexts += 1
    const voice = new FakeVoiceContext(
      {
        connection: this.#connection,
        nextFault: this.#nextFault,
        audio: (chunk, offsetMs) => this.#speak(id, chunk, offsetMs),
        error: (code) => this.#error(id, code, 'scripted'),
      },
      this.#pace,
    )
    const context = { voice, fixed: fixedOf(request), isFinished: false, flushes: 0 }
    this.#contexts.set(id, context)
    return context
  }

  #generate(id: string, context: Context, request: Readonly<Record<string, unknown>>): void {
    const text = String(request['transcript']).trim()
    context.isFinished = request['continue'] !== true
    if (text !== '') {
      context.flushes += 1
      const flushId = context.flushes
      context.voice.say(text)
      context.voice.afterwards(() =>
        this.#send(id, 'flush_done', { flush_done: true, flush_id: flushId }),
      )
    }
    if (!context.isFinished) return
    context.voice.afterwards(() => {
      this.#close(id)
      this.#send(id, 'done', { done: true })
    })
  }

  #speak(id: string, chunk: SpokenChunk, offsetMs: number): void {
    const data = Buffer.from(chunk.audio).toString('base64')
    const flushId = this.#contexts.get(id)?.flushes ?? 0
    this.#send(id, 'timestamps', {
      word_timestamps: {
        words: [chunk.text],
        start: [(offsetMs + chunk.startMs) / 1_000],
        end: [(offsetMs + chunk.endMs) / 1_000],
      },
    })
    this.#send(id, 'chunk', { data, step_time: 12.3, flush_id: flushId })
  }

  #cancel(id: string): void {
    const context = this.#contexts.get(id)
    this.#close(id)
    context?.voice.cancel(() => {
      this.#speak(id, { audio: new Uint8Array(800), text: 'late', startMs: 0, endMs: 100 }, 0)
    })
  }

  #error(id: string | null, status: number, message: string): void {
    if (id !== null) this.#close(id)
    this.#connection.send({
      type: 'error',
      ...(id !== null && { context_id: id }),
      done: true,
      status_code: status,
      error_code: status === 429 ? 'concurrency_limited' : null,
      title: message,
      message,
      request_id: 'request-1',
    })
  }

  #close(id: string): void {
    if (this.#contexts.delete(id)) this.#account.contexts -= 1
  }

  #send(id: string, type: string, fields: object): void {
    this.#connection.send({ type, context_id: id, status_code: 206, done: false, ...fields })
  }
}

const FIELDS = new Set([
  'context_id',
  'model_id',
  'transcript',
  'voice',
  'language',
  'output_format',
  'continue',
  'max_buffer_delay_ms',
  'add_timestamps',
  'use_normalized_timestamps',
  'add_phoneme_timestamps',
  'generation_config',
  'pronunciation_dict_id',
  'flush',
])

function fixedOf(request: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([request['voice'], request['model_id'], request['language']])
}

/** What the real server checks; it knows no more fields than these. */
function problemWith(request: Readonly<Record<string, unknown>>): string | null {
  const unknown = Object.keys(request).find((name) => !FIELDS.has(name))
  if (unknown !== undefined) return `unknown field ${unknown}`
  if (typeof request['transcript'] !== 'string') return 'transcript is required'
  if (!String(request['model_id']).startsWith('sonic-')) return 'unknown model'
  const voice = Object(request['voice']) as { mode?: unknown; id?: unknown }
  if (voice.mode !== 'id' || typeof voice.id !== 'string') return 'voice is required'
  const format = Object(request['output_format']) as Readonly<Record<string, unknown>>
  if (format['container'] !== 'raw') return 'container must be raw'
  if (format['encoding'] !== 'pcm_mulaw') return 'this fake only speaks pcm_mulaw'
  if (format['sample_rate'] !== 8_000) return 'this fake only speaks at 8000 Hz'
  const { speed, volume } = Object(request['generation_config']) as Record<string, number>
  if (speed !== undefined && !(speed >= 0.6 && speed <= 1.5)) return 'speed out of range'
  if (volume !== undefined && !(volume >= 0.5 && volume <= 2)) return 'volume out of range'
  const delay = request['max_buffer_delay_ms']
  if (typeof delay === 'number' && !(delay >= 0 && delay <= 5_000)) return 'delay out of range'
  return null
}
