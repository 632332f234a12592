import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type {
  RealtimeEvent,
  RealtimeModel,
  RealtimeOptions,
  RealtimeStream,
  SaidText,
} from '#shared/ports/realtime-model.ts'

import { VendorSocket } from '../websocket/vendor-socket.ts'
import type { SocketLimits, VendorMessage } from '../websocket/vendor-socket.ts'
import { readOpenAiRealtime } from './openai-realtime-events.ts'
import type { OpenAiEvent } from './openai-realtime-events.ts'

export const OPENAI_REALTIME_URL = 'wss://api.openai.com/v1/realtime'
const DEFAULT_VOICE = 'marin'
const TRANSCRIPTION_MODEL = 'gpt-4o-transcribe'
/** A session that has not taken its configuration by then is given up. */
const READY_MS = 5_000

export interface OpenAiRealtimeOptions {
  readonly apiKey: string
  readonly url?: string
  readonly transcriptionModel?: string
  readonly timers: Timers
  readonly logger: Logger
  readonly limits?: SocketLimits
}

/** realtime_provider_1 (reference/protocols-media.md 11). A session ends after 60 minutes. */
export function openAiRealtime(options: OpenAiRealtimeOptions): RealtimeModel {
  return { open: (request, listener) => new OpenAiStream(options, request, listener) }
}

class OpenAiStream implements RealtimeStream {
  readonly #options: OpenAiRealtimeOptions
  readonly #listener: (event: RealtimeEvent) => void
  readonly #socket: VendorSocket
  readonly #stopWaiting: () => void
  /** Ms of audio that came of each utterance, and those of which more may come. */
  readonly #saidMs = new Map<string, number>()
  readonly #beingSaid = new Set<string>()
  /** Of these nothing is wanted any more; frames that were on their way still come. */
  readonly #cut = new Set<string>()
  /** Tools whose answers the model waits for. */
  readonly #openCalls = new Set<string>()
  /** A response is being made, or asked for; the vendor makes one at a time. */
  #response: 'none' | 'asked' | 'active' = 'none'
  /** What the next response is for, and the one that was asked for; null for none. */
  #wanted: { readonly instructions: string | null } | null = null
  #asked: { readonly instructions: string | null } | null = null
  #userText = ''
  #isOver = false

  constructor(
    options: OpenAiRealtimeOptions,
    request: RealtimeOptions,
    listener: (event: RealtimeEvent) => void,
  ) {
    this.#options = options
    this.#listener = listener
    const { timers, logger, limits } = options
    const url = new URL(options.url ?? OPENAI_REALTIME_URL)
    url.searchParams.set('model', request.model.realtimeModelId)
    this.#socket = new VendorSocket({
      name: request.model.provider,
      url: url.href,
      headers: { authorization: `Bearer ${options.apiKey}` },
      timers,
      logger,
      ...(limits && { limits }),
      onMessage: (message) => this.#receive(message),
      onLost: (error) => this.#fail(error),
    })
    this.#stopWaiting = timers.after(READY_MS, () =>
      this.#fail(new AdapterError('the realtime model is not ready', { retryable: true })),
    )
    this.#socket.send(configuration(options, request))
    for (const said of request.history) this.remember(said)
  }

  write(audio: Uint8Array): void {
    const base64 = Buffer.from(audio.buffer, audio.byteOffset, audio.length).toString('base64')
    this.#socket.send({ type: 'input_audio_buffer.append', audio: base64 })
  }

  respond(instructions: string): void {
    this.#wanted = { instructions }
    this.#respondIfFree()
  }

  remember({ role, content }: SaidText): void {
    const type = role === 'user' ? 'input_text' : 'output_text'
    const item = { type: 'message', role, content: [{ type, text: content }] }
    this.#socket.send({ type: 'conversation.item.create', item })
  }

  answerTool(callId: string, output: string): void {
    if (!this.#openCalls.delete(callId)) return
    const item = { type: 'function_call_output', call_id: callId, output }
    this.#socket.send({ type: 'conversation.item.create', item })
    this.#wanted ??= { instructions: null }
    this.#respondIfFree()
  }

  cut(utterance: string, heardMs: number): void {
    const saidMs = this.#saidMs.get(utterance)
    if (saidMs === undefined) return
    this.#saidMs.delete(utterance)
    this.#cut.add(utterance)
    if (this.#beingSaid.delete(utterance)) this.#socket.send({ type: 'response.cancel' })
    this.#socket.send({
      type: 'conversation.item.truncate',
      item_id: utterance,
      content_index: 0,
      audio_end_ms: Math.max(0, Math.floor(Math.min(heardMs, saidMs))),
    })
  }

  close(): void {
    if (this.#isOver) return
    this.#end()
    this.#socket.close()
  }

  #respondIfFree(): void {
    if (this.#wanted === null || this.#response !== 'none' || this.#openCalls.size > 0) return
    const { instructions } = this.#wanted
    this.#asked = this.#wanted
    this.#wanted = null
    this.#response = 'asked'
    this.#socket.send({
      type: 'response.create',
      ...(instructions !== null && { response: { instructions } }),
    })
  }

  #receive(message: VendorMessage): void {
    for (const event of readOpenAiRealtime(message)) {
      const isLate = 'utterance' in event && this.#cut.has(event.utterance)
      if (!this.#isOver && !isLate) this.#take(event)
    }
  }

  #take(event: OpenAiEvent): void {
    switch (event.type) {
      case 'ready':
        this.#stopWaiting()
        return this.#listener(event)
      case 'audio': {
        const { utterance, audio } = event
        const saidMs = this.#saidMs.get(utterance) ?? 0
        this.#saidMs.set(utterance, saidMs + audio.length / SAMPLES_PER_MS)
        this.#beingSaid.add(utterance)
        return this.#listener(event)
      }
      case 'utteranceDone':
        this.#beingSaid.delete(event.utterance)
        return this.#listener(event)
      case 'speechStarted':
        for (const utterance of this.#beingSaid) this.#cut.add(utterance)
        this.#listener(event)
        return this.#listener({ type: 'interrupted' })
      case 'userDelta':
        this.#userText += event.text
        return this.#listener({ type: 'userText', text: this.#userText, isFinal: false })
      case 'userText':
        this.#userText = ''
        return this.#listener(event)
      case 'toolCall':
        this.#openCalls.add(event.call.id)
        return this.#listener(event)
      case 'responseStarted':
        this.#response = 'active'
        return
      case 'responseDone':
        this.#response = 'none'
        this.#asked = null
        this.#beingSaid.clear()
        if (event.error !== null) this.#listener({ type: 'answerFailed', error: event.error })
        return this.#respondIfFree()
      case 'busy':
        // The vendor has begun to answer the caller by itself: what we want comes after that.
        this.#wanted ??= this.#asked
        this.#response = 'active'
        return
      case 'complaint':
        if (this.#response === 'asked') this.#response = 'none'
        return this.#options.logger.warn('a realtime model complained', { code: event.code })
      default:
        return this.#listener(event)
    }
  }

  #fail(error: AdapterError): void {
    if (this.#isOver) return
    this.#end()
    this.#socket.close()
    this.#listener({ type: 'failed', error })
  }

  #end(): void {
    this.#isOver = true
    this.#stopWaiting()
  }
}

function configuration(options: OpenAiRealtimeOptions, request: RealtimeOptions): object {
  const { model, instructions, tools, languageHints } = request
  const [language] = languageHints
  const format = { type: 'audio/pcmu' }
  return {
    type: 'session.update',
    session: {
      type: 'realtime',
      instructions,
      output_modalities: ['audio'],
      audio: {
        input: {
          format,
          transcription: {
            model: options.transcriptionModel ?? TRANSCRIPTION_MODEL,
            ...(language !== undefined && { language }),
          },
          turn_detection: { type: 'server_vad', create_response: true, interrupt_response: true },
        },
        output: { format, voice: model.realtimeVoiceId ?? DEFAULT_VOICE },
      },
      ...(tools.length > 0 && {
        tools: tools.map((tool) => ({ type: 'function', ...tool })),
        tool_choice: 'auto',
      }),
    },
  }
}
