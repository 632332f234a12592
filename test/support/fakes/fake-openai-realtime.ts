import { systemTimers } from '#shared/adapters/local/timers.ts'
import type { Timers } from '#shared/ports/clock.ts'

import { FakeCaller, parrot } from './fake-caller.ts'
import type { BrainInput, FakeBrain } from './fake-caller.ts'
import { clipEars } from './fake-ears.ts'
import type { FakeEars } from './fake-ears.ts'
import { FakeMouth, spokenChunks } from './fake-mouth.ts'
import type { FakePace } from './fake-mouth.ts'
import { startFakeSocketServer } from './fake-socket-server.ts'
import type {
  FakeConnection,
  FakeConversation,
  FakeServerOptions,
  FakeSocketServer,
} from './fake-socket-server.ts'

export const OPENAI_KEY = 'openai-key'
const SESSION_MS = 60 * 60_000

/** What goes wrong: with the next session that is configured, or with its next response. */
export type RealtimeFault =
  | { readonly kind: 'refuse'; readonly status: number }
  /** Never says that it is ready. */
  | { readonly kind: 'mute' }
  | { readonly kind: 'drop'; readonly afterWords: number }
  | { readonly kind: 'garbage'; readonly afterWords: number }
  | { readonly kind: 'fail'; readonly afterWords: number }

export interface FakeRealtimeOptions extends FakeServerOptions {
  readonly timers?: Timers
  readonly ears?: () => FakeEars
  readonly brain?: FakeBrain
  readonly pace?: FakePace
}

/** What a session remembers of its conversation. */
export interface RememberedItem {
  readonly id: string
  readonly role: string
  text: string
  /** Of an answer that was cut: what the caller heard of it. */
  heardMs: number | null
}

export interface FakeRealtime extends FakeSocketServer {
  fail(...faults: readonly RealtimeFault[]): void
  /** Of the latest session. */
  remembered(): readonly RememberedItem[]
}

/** realtime_provider_1 on loopback (reference/protocols-media.md 11 and 15). */
export async function startFakeOpenAiRealtime(
  options: FakeRealtimeOptions = {},
): Promise<FakeRealtime> {
  const faults: RealtimeFault[] = []
  let latest: OpenAiSession | null = null
  const { timers = systemTimers, ears = clipEars, brain = parrot, pace } = options
  const server = await startFakeSocketServer(
    {
      refuse(request) {
        const url = new URL(request.url ?? '/', 'ws://fake')
        if (url.pathname !== '/v1/realtime') return 404
        if (request.headers.authorization !== `Bearer ${OPENAI_KEY}`) return 401
        if (!url.searchParams.get('model')) return 400
        if (faults[0]?.kind !== 'refuse') return null
        const { status } = faults[0]
        faults.shift()
        return status
      },
      connect(connection) {
        latest = new OpenAiSession({ connection, timers, faults, brain, pace, ears: ears() })
        return latest
      },
    },
    options,
  )
  return Object.assign(server, {
    url: `${server.url}/v1/realtime`,
    fail: (...more: readonly RealtimeFault[]) => void faults.push(...more),
    remembered: () => latest?.items ?? [],
  })
}

interface SessionParts {
  readonly connection: FakeConnection
  readonly timers: Timers
  readonly faults: RealtimeFault[]
  readonly brain: FakeBrain
  readonly pace: FakePace | undefined
  readonly ears: FakeEars
}

interface Response {
  readonly id: string
  item: RememberedItem | null
}

type Fields = Readonly<Record<string, unknown>>

class OpenAiSession implements FakeConversation {
  readonly items: RememberedItem[] = []
  readonly #parts: SessionParts
  readonly #caller: FakeCaller
  readonly #saidMs = new Map<string, number>()
  readonly #openCalls = new Set<string>()
  readonly #stopWaiting: () => void
  #mouth: FakeMouth
  #toolOutputs: string[] = []
  #response: Response | null = null
  #isConfigured = false
  #ids = 0

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#caller = new FakeCaller(parts.ears)
    this.#mouth = new FakeMouth(parts.pace)
    this.#stopWaiting = parts.timers.after(SESSION_MS, () => {
      this.#error('session_expired', 'Your session hit the maximum duration of 60 minutes.')
      parts.connection.close(1001)
    })
    this.#send('session.created', { session: { type: 'realtime', id: 'sess_1' } })
  }

  closed(): void {
    this.#stopWaiting()
    this.#mouth.clear()
  }

  message(message: unknown): void {
    const event = Object(message) as Fields
    switch (event['type']) {
      case 'session.update':
        return this.#configure(Object(event['session']) as Fields)
      case 'input_audio_buffer.append':
        return this.#hear(event['audio'])
      case 'conversation.item.create':
        return this.#create(Object(event['item']) as Fields)
      case 'conversation.item.truncate':
        return this.#truncate(event)
      case 'response.create':
        return this.#createResponse(Object(event['response']) as Fields)
      case 'response.cancel':
        if (this.#response === null) {
          return this.#error('response_cancel_not_active', 'Cancellation failed')
        }
        return this.#cancel('client_cancelled')
      default:
        return this.#error('invalid_value', `Invalid value: ${String(event['type'])}`)
    }
  }

  #configure(session: Fields): void {
    const problem = problemWith(session)
    if (problem !== null) return this.#error('invalid_value', problem)
    if (this.#parts.faults[0]?.kind === 'mute') return void this.#parts.faults.shift()
    this.#isConfigured = true
    this.#send('session.updated', { session })
  }

  #hear(audio: unknown): void {
    if (typeof audio !== 'string') return this.#error('invalid_value', 'audio is required')
    if (!this.#isConfigured) return
    for (const event of this.#caller.hear(Buffer.from(audio, 'base64'))) {
      const itemId = `item_user_${this.#ids}`
      if (event.type === 'started') {
        this.#ids += 1
        this.#send('input_audio_buffer.speech_started', {
          audio_start_ms: event.atMs,
          item_id: `item_user_${this.#ids}`,
        })
        if (this.#response !== null) this.#cancel('turn_detected')
      } else if (event.type === 'said') {
        this.#send('input_audio_buffer.speech_stopped', {
          audio_end_ms: event.atMs,
          item_id: itemId,
        })
        this.#send('input_audio_buffer.committed', { previous_item_id: null, item_id: itemId })
        this.#remember(itemId, 'user', event.text)
        const half = event.text.length >> 1
        for (const delta of [event.text.slice(0, half), event.text.slice(half)]) {
          this.#transcription('delta', itemId, { delta })
        }
        this.#transcription('completed', itemId, { transcript: event.text, usage: {} })
        if (this.#response === null) this.#respond({ heard: event.text, instructions: null })
      }
    }
  }

  #transcription(kind: string, itemId: string, fields: object): void {
    const type = `conversation.item.input_audio_transcription.${kind}`
    this.#send(type, { item_id: itemId, content_index: 0, ...fields })
  }

  #create(item: Fields): void {
    if (item['type'] === 'function_call_output') {
      const callId = String(item['call_id'])
      if (!this.#openCalls.delete(callId)) {
        return this.#error('invalid_tool_call_id', 'No tool call found for function call output')
      }
      this.#toolOutputs.push(String(item['output']))
      return
    }
    const [content] = item['content'] as readonly { type: string; text: string }[]
    const wanted = item['role'] === 'assistant' ? 'output_text' : 'input_text'
    if (item['type'] !== 'message' || content?.type !== wanted) {
      return this.#error('invalid_value', 'Invalid content of a message')
    }
    this.#ids += 1
    this.#remember(`item_${this.#ids}`, String(item['role']), content.text)
  }

  #truncate(event: Fields): void {
    const item = this.items.find(({ id }) => id === event['item_id'])
    const saidMs = this.#saidMs.get(String(event['item_id']))
    const heardMs = event['audio_end_ms']
    if (item === undefined || saidMs === undefined || event['content_index'] !== 0) {
      return this.#error('invalid_value', 'No such item')
    }
    if (typeof heardMs !== 'number' || !Number.isInteger(heardMs) || heardMs > saidMs) {
      return this.#error('invalid_value', `Audio content of ${saidMs}ms is already shorter`)
    }
    item.heardMs = heardMs
    const { item_id, content_index, audio_end_ms } = event
    this.#send('conversation.item.truncated', { item_id, content_index, audio_end_ms })
  }

  #createResponse(response: Fields): void {
    if (this.#response !== null) {
      const message = 'Conversation already has an active response in progress'
      return this.#error('conversation_already_has_active_response', message)
    }
    const instructions = response['instructions']
    this.#respond({
      heard: null,
      instructions: typeof instructions === 'string' ? instructions : null,
    })
  }

  #respond(input: Omit<BrainInput, 'toolOutputs'>): void {
    const { brain, faults, pace } = this.#parts
    const answer = brain({ ...input, toolOutputs: this.#toolOutputs.splice(0) })
    this.#ids += 1
    const response: Response = { id: `resp_${this.#ids}`, item: null }
    this.#response = response
    this.#mouth = new FakeMouth(pace)
    this.#send('response.created', { response: { id: response.id, status: 'in_progress' } })
    const fault = faults.shift() ?? null
    if (answer.say !== undefined) this.#mouth.say(this.#speech(response, answer.say, fault))
    for (const tool of answer.tools ?? []) {
      this.#mouth.say([() => this.#call(response, tool.name, JSON.stringify(tool.arguments))])
    }
    this.#mouth.say([() => this.#finish('completed')])
  }

  *#speech(response: Response, text: string, fault: RealtimeFault | null): Generator<() => void> {
    const itemId = `item_${response.id}`
    const at = { response_id: response.id, item_id: itemId, output_index: 0, content_index: 0 }
    yield () => {
      response.item = this.#remember(itemId, 'assistant', '')
      this.#send('response.output_item.added', {
        response_id: response.id,
        item: { id: itemId, type: 'message' },
      })
      this.#send('response.content_part.added', { ...at, part: { type: 'audio' } })
    }
    for (const [index, chunk] of spokenChunks(text).entries()) {
      if (fault !== null && 'afterWords' in fault && fault.afterWords === index) {
        if (fault.kind === 'fail') return yield () => this.#finish('failed')
        yield () => this.#misbehave(fault)
      }
      yield () => {
        const delta = index === 0 ? chunk.text : ` ${chunk.text}`
        response.item!.text += delta
        this.#saidMs.set(itemId, chunk.endMs)
        this.#send('response.output_audio_transcript.delta', { ...at, delta })
        const audio = Buffer.from(chunk.audio).toString('base64')
        this.#send('response.output_audio.delta', { ...at, delta: audio })
      }
    }
    yield () => {
      this.#send('response.output_audio.done', at)
      this.#send('response.output_audio_transcript.done', { ...at, transcript: text })
      this.#send('response.output_item.done', { response_id: response.id, item: { id: itemId } })
    }
  }

  #misbehave(fault: RealtimeFault): void {
    if (fault.kind === 'drop') return this.#parts.connection.drop()
    for (const piece of GARBAGE) this.#parts.connection.send(piece)
  }

  #call(response: Response, name: string, json: string): void {
    this.#ids += 1
    const callId = `call_${this.#ids}`
    const item = { id: `item_${callId}`, type: 'function_call', name, call_id: callId }
    this.#openCalls.add(callId)
    this.#send('response.output_item.added', { response_id: response.id, item })
    const at = { response_id: response.id, item_id: item.id, output_index: 0, call_id: callId }
    this.#send('response.function_call_arguments.delta', { ...at, delta: json })
    this.#send('response.function_call_arguments.done', { ...at, name, arguments: json })
  }

  /** A frame that was on its way still comes. */
  #cancel(reason: string): void {
    this.#mouth.clear()
    const item = this.#response?.item
    if (item) {
      const [late] = spokenChunks('late')
      const at = { item_id: item.id, output_index: 0, content_index: 0 }
      const delta = Buffer.from(late!.audio).toString('base64')
      this.#send('response.output_audio.delta', { response_id: this.#response?.id, ...at, delta })
    }
    this.#finish('cancelled', reason)
  }

  #finish(status: string, reason?: string): void {
    if (this.#response === null) return
    const { id } = this.#response
    this.#response = null
    this.#mouth.clear()
    const details = reason === undefined ? null : { type: status, reason }
    this.#send('response.done', { response: { id, status, status_details: details, output: [] } })
  }

  #remember(id: string, role: string, text: string): RememberedItem {
    const item = { id, role, text, heardMs: null }
    this.items.push(item)
    this.#send('conversation.item.added', { previous_item_id: null, item: { id, role } })
    return item
  }

  #error(code: string, message: string): void {
    const error = { type: 'invalid_request_error', code, message, param: null, event_id: null }
    this.#send('error', { error })
  }

  #send(type: string, fields: object): void {
    this.#ids += 1
    this.#parts.connection.send({ event_id: `event_${this.#ids}`, type, ...fields })
  }
}

const GARBAGE: readonly (string | object)[] = [
  '<html>',
  '[]',
  'null',
  { type: 7 },
  { type: 'response.output_audio.delta', delta: 7, item_id: {} },
  { type: 'response.output_audio_transcript.delta', item_id: 'x' },
  { type: 'response.function_call_arguments.done', arguments: 7 },
  { type: 'error', error: 7 },
  { type: 'input_audio_buffer.cleared' },
]

/** What the real server checks of a session. */
function problemWith(session: Fields): string | null {
  if (session['type'] !== 'realtime') return 'session.type is required'
  if (typeof session['instructions'] !== 'string') return 'instructions must be text'
  const { input, output } = Object(session['audio']) as { input?: Fields; output?: Fields }
  for (const part of [input, output]) {
    const format = Object(part?.['format']) as Fields
    if (format['type'] !== 'audio/pcmu') return 'this fake only takes audio/pcmu'
  }
  if (typeof output?.['voice'] !== 'string') return 'voice must be text'
  const tools = (session['tools'] ?? []) as readonly Fields[]
  const isBad = tools.some(
    (tool) => tool['type'] !== 'function' || typeof tool['name'] !== 'string',
  )
  return isBad ? 'Invalid tools' : null
}
