import { systemTimers } from '#shared/adapters/local/timers.ts'
import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { decodeMulaw, encodeMulaw } from '#shared/audio/mulaw.ts'
import { Resampler } from '#shared/audio/resample.ts'
import type { Timers } from '#shared/ports/clock.ts'

import { FakeCaller, parrot } from './fake-caller.ts'
import type { BrainInput, FakeBrain } from './fake-caller.ts'
import { clipEars } from './fake-ears.ts'
import type { FakeEars } from './fake-ears.ts'
import { FakeMouth, spokenChunks } from './fake-mouth.ts'
import type { FakePace } from './fake-mouth.ts'
import type {
  FakeRealtime,
  FakeRealtimeOptions,
  RealtimeFault,
  RememberedItem,
} from './fake-openai-realtime.ts'
import { startFakeSocketServer } from './fake-socket-server.ts'
import type { FakeConnection, FakeConversation } from './fake-socket-server.ts'

export const GEMINI_KEY = 'gemini-key'
const PATH =
  /^\/\/?ws\/google\.ai\.generativelanguage\.(v1|v1beta)\.GenerativeService\.BidiGenerateContent$/
const CONNECTION_MS = 10 * 60_000
const NOTICE_MS = 60_000

export interface FakeGeminiLive extends FakeRealtime {
  /** Tells the client that the connection ends soon. */
  goAway(): void
}

/** realtime_provider_2 on loopback (reference/protocols-media.md 12 and 15). */
export async function startFakeGeminiLive(
  options: FakeRealtimeOptions = {},
): Promise<FakeGeminiLive> {
  const faults: RealtimeFault[] = []
  const handles = new Map<string, RememberedItem[]>()
  let latest: GeminiSession | null = null
  const { timers = systemTimers, ears = clipEars, brain = parrot, pace } = options
  const server = await startFakeSocketServer(
    {
      refuse(request) {
        const url = new URL(`ws://fake${request.url ?? '/'}`)
        if (!PATH.test(url.pathname)) return 404
        const key = url.searchParams.get('key') ?? request.headers['x-goog-api-key']
        if (key !== GEMINI_KEY) return 403
        if (faults[0]?.kind !== 'refuse') return null
        const { status } = faults[0]
        faults.shift()
        return status
      },
      connect(connection) {
        const parts = { connection, timers, faults, brain, pace, ears: ears(), handles }
        latest = new GeminiSession(parts)
        return latest
      },
    },
    options,
  )
  return Object.assign(server, {
    url: `${server.url}/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent`,
    fail: (...more: readonly RealtimeFault[]) => void faults.push(...more),
    remembered: () => latest?.items ?? [],
    goAway: () => latest?.goAway(),
  })
}

interface SessionParts {
  readonly connection: FakeConnection
  readonly timers: Timers
  readonly faults: RealtimeFault[]
  readonly brain: FakeBrain
  readonly pace: FakePace | undefined
  readonly ears: FakeEars
  /** What may be taken up by another connection. */
  readonly handles: Map<string, RememberedItem[]>
}

type Fields = Readonly<Record<string, unknown>>

class GeminiSession implements FakeConversation {
  items: RememberedItem[] = []
  readonly #parts: SessionParts
  readonly #caller: FakeCaller
  readonly #input = new Resampler({ fromHz: 16_000, toHz: 8_000 })
  readonly #output = new Resampler({ fromHz: 8_000, toHz: 24_000 })
  readonly #openCalls = new Set<string>()
  readonly #stops: (() => void)[]
  readonly #toolOutputs: string[] = []
  #mouth: FakeMouth
  #isGenerating = false
  /** Generated, and not played yet. */
  #isTurnOpen = false
  /** By the audio of the caller: up to when, and when the client will have played what it was given. */
  #heardMs = 0
  #playsUntilMs = 0
  #isReady = false
  #ids = 0

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#caller = new FakeCaller(parts.ears)
    this.#mouth = new FakeMouth(parts.pace)
    this.#stops = [
      parts.timers.after(CONNECTION_MS - NOTICE_MS, () => this.goAway()),
      parts.timers.after(CONNECTION_MS, () => parts.connection.close(1011, 'deadline')),
    ]
  }

  closed(): void {
    for (const stop of this.#stops) stop()
    this.#mouth.clear()
  }

  goAway(): void {
    this.#send({ goAway: { timeLeft: `${NOTICE_MS / 1_000}s` } })
  }

  message(message: unknown): void {
    const event = Object(message) as Fields
    if (!this.#isReady) return this.#setUp(event['setup'])
    if (event['realtimeInput'] !== undefined) return this.#hear(Object(event['realtimeInput']))
    if (event['clientContent'] !== undefined) return this.#take(Object(event['clientContent']))
    if (event['toolResponse'] !== undefined) return this.#toolAnswer(Object(event['toolResponse']))
    this.#refuse('Unknown message')
  }

  #setUp(value: unknown): void {
    const setup = Object(value) as Fields
    const problem = problemWith(setup)
    if (problem !== null) return this.#refuse(problem)
    if (this.#parts.faults[0]?.kind === 'mute') return void this.#parts.faults.shift()
    const { handle } = Object(setup['sessionResumption']) as { handle?: string }
    if (handle !== undefined) {
      const items = this.#parts.handles.get(handle)
      if (items === undefined) return this.#refuse('Session handle expired')
      this.items = items
    }
    this.#isReady = true
    this.#send({ setupComplete: {} })
    const newHandle = `handle-${this.#parts.handles.size + 1}`
    this.#parts.handles.set(newHandle, this.items)
    this.#send({ sessionResumptionUpdate: { newHandle, resumable: true } })
  }

  #hear(input: Fields): void {
    const { data, mimeType } = Object(input['audio']) as { data?: unknown; mimeType?: unknown }
    if (mimeType !== 'audio/pcm;rate=16000' || typeof data !== 'string') {
      return this.#refuse('This fake only hears audio/pcm;rate=16000')
    }
    const audio = encodeMulaw(this.#input.push(samplesOf(Buffer.from(data, 'base64'))))
    this.#heardMs += audio.length / SAMPLES_PER_MS
    this.#completeTurn()
    for (const event of this.#caller.hear(audio)) {
      if (event.type === 'started' && (this.#isPlaying() || this.#openCalls.size > 0)) {
        this.#interrupt()
      } else if (event.type === 'said') {
        this.#remember('user', event.text)
        const half = event.text.length >> 1
        for (const text of [event.text.slice(0, half), event.text.slice(half)]) {
          this.#content({ inputTranscription: { text } })
        }
        this.#answer({ heard: event.text, instructions: null, toolOutputs: [] })
      }
    }
  }

  #isPlaying(): boolean {
    return this.#isGenerating || this.#isTurnOpen
  }

  /** The turn is complete when the client will have played it, not when it was generated. */
  #completeTurn(): void {
    if (!this.#isTurnOpen || this.#heardMs < this.#playsUntilMs) return
    this.#isTurnOpen = false
    this.#content({ turnComplete: true, turnCompleteReason: 'TURN_COMPLETE_REASON_UNSPECIFIED' })
  }

  /** In one message, as the real server may. */
  #interrupt(): void {
    this.#mouth.clear()
    this.#isGenerating = false
    this.#isTurnOpen = false
    this.#playsUntilMs = this.#heardMs
    const ids = [...this.#openCalls]
    this.#openCalls.clear()
    if (ids.length > 0) this.#send({ toolCallCancellation: { ids } })
    this.#content({ interrupted: true, turnComplete: true })
  }

  #take(content: Fields): void {
    const turns = content['turns'] as readonly { role: string; parts: { text: string }[] }[]
    for (const { role, parts } of turns) {
      const text = parts.map((part) => part.text).join('')
      if (content['turnComplete'] !== true) {
        this.#remember(role === 'model' ? 'assistant' : 'user', text)
        continue
      }
      if (this.#isGenerating) this.#interrupt()
      this.#answer({ heard: null, instructions: text, toolOutputs: [] })
    }
  }

  #toolAnswer(answer: Fields): void {
    const outputs = answer['functionResponses'] as readonly Fields[]
    for (const { id, name, response } of outputs) {
      if (typeof name !== 'string' || !this.#openCalls.delete(String(id))) {
        return this.#refuse('Function response without a call')
      }
      this.#toolOutputs.push(String((response as Fields)['output']))
    }
    if (this.#openCalls.size === 0) {
      const toolOutputs = this.#toolOutputs.splice(0)
      this.#answer({ heard: null, instructions: null, toolOutputs })
    }
  }

  #answer(input: BrainInput): void {
    const { brain, faults, pace } = this.#parts
    const answer = brain(input)
    this.#mouth.clear()
    this.#mouth = new FakeMouth(pace)
    this.#isGenerating = true
    const fault = faults.shift() ?? null
    if (answer.say !== undefined) this.#mouth.say(this.#speech(answer.say, fault))
    this.#mouth.say([
      () => {
        this.#content({ generationComplete: true })
        this.#isGenerating = false
        this.#isTurnOpen = true
        const functionCalls = (answer.tools ?? []).map((tool) => {
          this.#ids += 1
          const id = `function-${this.#ids}`
          this.#openCalls.add(id)
          return { id, name: tool.name, args: tool.arguments }
        })
        if (functionCalls.length > 0) this.#send({ toolCall: { functionCalls } })
      },
    ])
  }

  *#speech(text: string, fault: RealtimeFault | null): Generator<() => void> {
    const item = this.#remember('assistant', '')
    for (const [index, chunk] of spokenChunks(text).entries()) {
      if (fault !== null && 'afterWords' in fault && fault.afterWords === index) {
        if (fault.kind !== 'garbage') return yield () => this.#parts.connection.drop()
        yield () => {
          for (const piece of GARBAGE) this.#parts.connection.send(piece)
        }
      }
      yield () => {
        const said = index === 0 ? chunk.text : ` ${chunk.text}`
        item.text += said
        const fromMs = Math.max(this.#heardMs, this.#playsUntilMs)
        this.#playsUntilMs = fromMs + chunk.audio.length / SAMPLES_PER_MS
        const pcm = this.#output.push(decodeMulaw(chunk.audio))
        const data = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).toString('base64')
        const inlineData = { mimeType: 'audio/pcm;rate=24000', data }
        this.#content({ modelTurn: { role: 'model', parts: [{ inlineData }] } })
        this.#content({ outputTranscription: { text: said } })
      }
    }
    yield () => {
      const pcm = this.#output.flush()
      const data = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).toString('base64')
      const inlineData = { mimeType: 'audio/pcm;rate=24000', data }
      this.#content({ modelTurn: { role: 'model', parts: [{ inlineData }] } })
    }
  }

  #remember(role: string, text: string): RememberedItem {
    this.#ids += 1
    const item = { id: `item-${this.#ids}`, role, text, heardMs: null }
    this.items.push(item)
    return item
  }

  #refuse(reason: string): void {
    this.#parts.connection.close(1007, reason)
  }

  #content(content: object): void {
    this.#send({ serverContent: content })
  }

  /** JSON in a binary frame. */
  #send(message: object): void {
    this.#parts.connection.send(Buffer.from(JSON.stringify(message)))
  }
}

const GARBAGE: readonly (string | object)[] = [
  '<html>',
  '[]',
  'null',
  { serverContent: 7 },
  { serverContent: { modelTurn: { parts: [null, { inlineData: { data: 7, mimeType: 7 } }] } } },
  { serverContent: { inputTranscription: { text: 7 }, outputTranscription: null } },
  { toolCall: { functionCalls: [{ id: 7 }, null] } },
  { toolCallCancellation: { ids: 'x' } },
  { sessionResumptionUpdate: { newHandle: 7 } },
  { usageMetadata: {} },
]

function samplesOf(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(index * 2))
}

/** What the real server checks of a session. */
function problemWith(setup: Fields): string | null {
  const model = setup['model']
  if (typeof model !== 'string' || !model.startsWith('models/')) return 'model is required'
  const generation = Object(setup['generationConfig']) as Fields
  if (JSON.stringify(generation['responseModalities']) !== '["AUDIO"]') return 'only AUDIO'
  const unknown = Object.keys(setup).find((name) => !FIELDS.has(name))
  if (unknown !== undefined) return `Unknown name "${unknown}"`
  const [tools] = (setup['tools'] ?? []) as readonly Fields[]
  const declarations = (tools?.['functionDeclarations'] ?? []) as readonly Fields[]
  return declarations.some((one) => typeof one['name'] !== 'string') ? 'Invalid tools' : null
}

const FIELDS = new Set([
  'model',
  'generationConfig',
  'systemInstruction',
  'tools',
  'realtimeInputConfig',
  'inputAudioTranscription',
  'outputAudioTranscription',
  'sessionResumption',
  'contextWindowCompression',
])
