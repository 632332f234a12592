import type { IncomingMessage } from 'node:http'

import { systemTimers } from '#shared/adapters/local/timers.ts'
import type { Timers } from '#shared/ports/clock.ts'

import type { FakeVoice, FakeVoiceOptions } from './fake-cartesia.ts'
import type { SpeechFault, SpokenChunk } from './fake-mouth.ts'
import { startFakeSocketServer } from './fake-socket-server.ts'
import type { FakeConnection, FakeConversation } from './fake-socket-server.ts'
import { FakeVoiceContext } from './fake-voice-context.ts'

export const ELEVENLABS_KEY = 'elevenlabs-key'
const MAX_CONTEXTS = 5
const PATH = /^\/v1\/text-to-speech\/([^/]+)\/multi-stream-input$/

/** voice_provider_2 on loopback (reference/protocols-media.md 7 and 15). */
export async function startFakeElevenLabs(
  options: FakeVoiceOptions & { readonly timers?: Timers } = {},
): Promise<FakeVoice> {
  const faults: SpeechFault[] = []
  const account = { contexts: 0 }
  const server = await startFakeSocketServer(
    {
      refuse,
      connect: (connection) =>
        new ElevenLabsSocket({
          ...options,
          timers: options.timers ?? systemTimers,
          connection,
          account,
          nextFault: () => faults.shift() ?? null,
        }),
    },
    options,
  )
  return Object.assign(server, {
    fail: (...more: readonly SpeechFault[]) => void faults.push(...more),
    openContexts: () => account.contexts,
  })
}

function refuse(request: IncomingMessage): number | null {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'ws://fake')
  if (!PATH.test(pathname)) return 404
  if (request.headers['xi-api-key'] !== ELEVENLABS_KEY) return 401
  if (searchParams.get('output_format') !== 'ulaw_8000') return 400
  if (!searchParams.get('model_id')?.startsWith('eleven_')) return 400
  return Number(searchParams.get('inactivity_timeout') ?? 20) <= 180 ? null : 400
}

interface Context {
  readonly voice: FakeVoiceContext
  readonly settings: string
  text: string
  isClosing: boolean
}

interface SocketParts {
  readonly connection: FakeConnection
  readonly account: { contexts: number }
  readonly nextFault: () => SpeechFault | null
  readonly timers: Timers
  readonly pace?: FakeVoiceOptions['pace']
}

class ElevenLabsSocket implements FakeConversation {
  readonly #parts: SocketParts
  readonly #contexts = new Map<string, Context>()
  #stopWaiting: () => void = () => undefined

  constructor(parts: SocketParts) {
    this.#parts = parts
    this.#wait()
  }

  message(message: unknown): void {
    this.#wait()
    const request = Object(message) as Readonly<Record<string, unknown>>
    if (request['close_socket'] === true) return this.#parts.connection.close(1000)
    const id = typeof request['context_id'] === 'string' ? request['context_id'] : 'default'
    const unknown = Object.keys(request).find((name) => !FIELDS.has(name))
    if (unknown !== undefined) return this.#violation(`Unknown field ${unknown}`)
    const context = this.#contexts.get(id) ?? this.#open(id, request)
    if (context === null) return
    const settings = request['voice_settings']
    if (settings !== undefined && JSON.stringify(settings) !== context.settings) {
      return this.#violation('voice_settings may only be provided in the first message')
    }
    if (context.isClosing) return
    context.text += typeof request['text'] === 'string' ? request['text'] : ''
    const isAuto = this.#parts.connection.query.get('auto_mode') === 'true'
    if (request['flush'] === true || request['close_context'] === true || isAuto) {
      context.voice.say(context.text.trim())
      context.text = ''
    }
    if (request['close_context'] === true) this.#close(id, context)
  }

  closed(): void {
    this.#stopWaiting()
    this.#parts.account.contexts -= this.#contexts.size
    this.#contexts.clear()
  }

  #open(id: string, request: Readonly<Record<string, unknown>>): Context | null {
    const { connection, nextFault, pace, account } = this.#parts
    // A context that is not known is over already.
    if (request['close_context'] === true) return null
    if (this.#contexts.size >= MAX_CONTEXTS) {
      this.#violation('Maximum simultaneous contexts exceeded')
      return null
    }
    const { speed } = Object(request['voice_settings']) as { speed?: number }
    if (speed !== undefined && !(speed >= 0.7 && speed <= 1.2)) {
      this.#violation('speed must be between 0.7 and 1.2')
      return null
    }
    account.contexts += 1
    const voice = new FakeVoiceContext(
      {
        connection,
        nextFault,
        audio: (chunk) => this.#speak(id, chunk),
        error: (code) => {
          this.#forget(id)
          connection.send({ error: 'scripted', message: 'x', code, contextId: id })
        },
      },
      pace,
    )
    const settings = JSON.stringify(request['voice_settings'])
    const context = { voice, settings, text: '', isClosing: false }
    this.#contexts.set(id, context)
    return context
  }

  #close(id: string, context: Context): void {
    context.isClosing = true
    context.voice.afterwards(() => {
      this.#forget(id)
      this.#parts.connection.send({ isFinal: true, contextId: id })
    })
  }

  #forget(id: string): void {
    if (this.#contexts.delete(id)) this.#parts.account.contexts -= 1
  }

  /** Each word in two messages, cut in its middle, its letters timed from the start of their message. */
  #speak(id: string, chunk: SpokenChunk): void {
    const letters = Array.from(`${chunk.text} `)
    const half = letters.length >> 1
    const ms = (chunk.endMs - chunk.startMs) / letters.length
    const cut = Math.round(half * ms) * 8
    const parts = [
      { audio: chunk.audio.subarray(0, cut), chars: letters.slice(0, half) },
      { audio: chunk.audio.subarray(cut), chars: letters.slice(half) },
    ]
    for (const { audio, chars } of parts) {
      const alignment = {
        chars,
        charStartTimesMs: chars.map((_, index) => Math.round(index * ms)),
        charDurationsMs: chars.map(() => Math.round(ms)),
      }
      const base64 = Buffer.from(audio).toString('base64')
      this.#parts.connection.send({ audio: base64, isFinal: null, contextId: id, alignment })
    }
  }

  #violation(reason: string): void {
    this.#parts.connection.close(1008, reason)
  }

  #wait(): void {
    const { connection, timers } = this.#parts
    const secs = Number(connection.query.get('inactivity_timeout') ?? 20)
    this.#stopWaiting()
    this.#stopWaiting = timers.after(secs * 1_000, () =>
      this.#violation('Have not received a new text input within the timeout'),
    )
  }
}

const FIELDS = new Set([
  'text',
  'context_id',
  'voice_settings',
  'generation_config',
  'pronunciation_dictionary_locators',
  'flush',
  'close_context',
  'close_socket',
])
