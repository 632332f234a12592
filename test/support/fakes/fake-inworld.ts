import type { IncomingMessage } from 'node:http'

import type { FakeVoice, FakeVoiceOptions } from './fake-cartesia.ts'
import type { FakePace, SpeechFault, SpokenChunk } from './fake-mouth.ts'
import { startFakeSocketServer } from './fake-socket-server.ts'
import type { FakeConnection, FakeConversation } from './fake-socket-server.ts'
import { FakeVoiceContext } from './fake-voice-context.ts'

export const INWORLD_KEY = Buffer.from('inworld:key').toString('base64')
const MAX_CONTEXTS = 5
const MAX_TEXT = 2_000
/** gRPC codes. */
const INVALID = 3
const NOT_FOUND = 5
const EXHAUSTED = 8

/** voice_provider_3 on loopback (reference/protocols-media.md 8.1 and 15). */
export async function startFakeInworld(options: FakeVoiceOptions = {}): Promise<FakeVoice> {
  const faults: SpeechFault[] = []
  const account = { contexts: 0 }
  const server = await startFakeSocketServer(
    {
      refuse,
      connect: (connection) =>
        new InworldSocket(connection, account, () => faults.shift() ?? null, options.pace),
    },
    options,
  )
  return Object.assign(server, {
    url: `${server.url}/tts/v1/voice:streamBidirectional`,
    fail: (...more: readonly SpeechFault[]) => void faults.push(...more),
    openContexts: () => account.contexts,
  })
}

function refuse(request: IncomingMessage): number | null {
  const { pathname } = new URL(request.url ?? '/', 'ws://fake')
  if (pathname !== '/tts/v1/voice:streamBidirectional') return 404
  return request.headers.authorization === `Basic ${INWORLD_KEY}` ? null : 401
}

interface Context {
  readonly voice: FakeVoiceContext
  text: string
  isClosing: boolean
}

class InworldSocket implements FakeConversation {
  readonly #connection: FakeConnection
  readonly #account: { contexts: number }
  readonly #nextFault: () => SpeechFault | null
  readonly #pace: FakePace | undefined
  readonly #contexts = new Map<string, Context>()

  constructor(
    connection: FakeConnection,
    account: { contexts: number },
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
    const id = request['contextId']
    if (typeof id !== 'string' || id === '') return this.#malformed()
    if (request['create'] !== undefined) return this.#create(id, request['create'])
    const context = this.#contexts.get(id)
    if (context === undefined) return this.#status(id, NOT_FOUND)
    if (request['send_text'] !== undefined) {
      const { text } = Object(request['send_text']) as { text?: unknown }
      if (typeof text !== 'string') return this.#malformed()
      context.text += text
      if (context.text.length > MAX_TEXT) this.#status(id, INVALID)
    } else if (request['flush_context'] !== undefined) {
      this.#flush(context, () => this.#result(id, { flushCompleted: {} }))
    } else if (request['close_context'] !== undefined) {
      if (context.isClosing) return this.#status(id, NOT_FOUND)
      context.isClosing = true
      this.#flush(context, () => {
        this.#forget(id)
        this.#result(id, { contextClosed: {} })
      })
    } else this.#malformed()
  }

  closed(): void {
    this.#account.contexts -= this.#contexts.size
    this.#contexts.clear()
  }

  #create(id: string, create: unknown): void {
    if (this.#contexts.size >= MAX_CONTEXTS) return this.#status(id, EXHAUSTED)
    const fields = Object(create) as Readonly<Record<string, unknown>>
    const unknown = Object.keys(fields).find((name) => !FIELDS.has(name))
    const audio = Object(fields['audioConfig']) as Readonly<Record<string, unknown>>
    const rate = Number(audio['speakingRate'] ?? 1)
    const isValid =
      unknown === undefined &&
      typeof fields['voiceId'] === 'string' &&
      String(fields['modelId']).startsWith('inworld-tts') &&
      audio['audioEncoding'] === 'MULAW' &&
      audio['sampleRateHertz'] === 8_000 &&
      rate >= 0.5 &&
      rate <= 1.5
    if (!isValid) return this.#status(id, INVALID)
    this.#account.contexts += 1
    const voice = new FakeVoiceContext(
      {
        connection: this.#connection,
        nextFault: this.#nextFault,
        audio: (chunk) => this.#speak(id, chunk),
        error: (code) => this.#status(id, code),
      },
      this.#pace,
    )
    this.#contexts.set(id, { voice, text: '', isClosing: false })
    this.#result(id, { contextCreated: {} })
  }

  #flush(context: Context, done: () => void): void {
    const text = context.text.trim()
    context.text = ''
    context.voice.say(text)
    context.voice.afterwards(done)
  }

  /** Times begin anew with every flush. */
  #speak(id: string, chunk: SpokenChunk): void {
    this.#result(id, {
      audioChunk: {
        audioContent: Buffer.from(chunk.audio).toString('base64'),
        usage: { processedCharactersCount: chunk.text.length, modelId: 'inworld-tts-2' },
        timestampInfo: {
          wordAlignment: {
            words: [chunk.text],
            wordStartTimeSeconds: [chunk.startMs / 1_000],
            wordEndTimeSeconds: [chunk.endMs / 1_000],
          },
        },
      },
    })
  }

  #result(id: string, fields: object): void {
    const status = { code: 0, message: '', details: [] }
    this.#connection.send({ result: { ...fields, contextId: id, status } })
  }

  #status(id: string, code: number): void {
    if (code !== NOT_FOUND) this.#forget(id)
    const status = { code, message: 'scripted', details: [] }
    this.#connection.send({ result: { contextId: id, status } })
  }

  #forget(id: string): void {
    if (this.#contexts.delete(id)) this.#account.contexts -= 1
  }

  #malformed(): void {
    const details = [{ reconnectType: 'NO_RETRY' }]
    this.#connection.send({ error: { code: INVALID, message: 'malformed', details } })
  }
}

const FIELDS = new Set([
  'voiceId',
  'modelId',
  'audioConfig',
  'language',
  'autoMode',
  'maxBufferDelayMs',
  'bufferCharThreshold',
  'timestampType',
  'timestampTransportStrategy',
  'deliveryMode',
  'applyTextNormalization',
  'temperature',
])
