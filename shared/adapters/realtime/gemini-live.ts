import { SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import { decodeMulaw, encodeMulaw } from '#shared/audio/mulaw.ts'
import { Resampler } from '#shared/audio/resample.ts'
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
import { readGeminiLive } from './gemini-live-events.ts'
import type { GeminiEvent } from './gemini-live-events.ts'

export const GEMINI_LIVE_URL =
  'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const DEFAULT_VOICE = 'Puck'
/** What the model takes and gives: PCM16. */
const HEARS_HZ = 16_000
const SPEAKS_HZ = 24_000
/** A session that has not taken its configuration by then is given up. */
const READY_MS = 5_000
/** What may wait for a session that is not ready yet: audio of about 10 s. */
const WAITING_MAX = 1_000

export interface GeminiLiveOptions {
  readonly apiKey: string
  readonly url?: string
  readonly timers: Timers
  readonly logger: Logger
  readonly limits?: SocketLimits
}

/**
 * realtime_provider_2 (reference/protocols-media.md 12). A connection lives about 10 minutes; before
 * its end the vendor says so, and the session goes on over another one. The vendor has no way to
 * cut what it remembers: what was said and not heard stays in its history.
 */
export function geminiLive(options: GeminiLiveOptions): RealtimeModel {
  return { open: (request, listener) => new GeminiStream(options, request, listener) }
}

class GeminiStream implements RealtimeStream {
  readonly #options: GeminiLiveOptions
  readonly #request: RealtimeOptions
  readonly #listener: (event: RealtimeEvent) => void
  readonly #ears = new Resampler({ fromHz: SAMPLE_RATE_HZ, toHz: HEARS_HZ })
  #mouth = new Resampler({ fromHz: SPEAKS_HZ, toHz: SAMPLE_RATE_HZ })
  readonly #toolNames = new Map<string, string>()
  #socket: VendorSocket
  #stopWaiting: () => void = () => undefined
  /** Frames that wait until the session is ready; null when it is. */
  #waiting: object[] | null = []
  #resumeWith: string | null = null
  #turns = 0
  #utterance: string | null = null
  /** What the model is asked for when it has said that. */
  #wanted: string | null = null
  /** What still comes of this turn is not wanted. */
  #isMuted = false
  #hasBeenReady = false
  #userText = ''
  #isOver = false

  constructor(
    options: GeminiLiveOptions,
    request: RealtimeOptions,
    listener: (event: RealtimeEvent) => void,
  ) {
    this.#options = options
    this.#request = request
    this.#listener = listener
    this.#socket = this.#connect()
    for (const said of request.history) this.remember(said)
  }

  write(audio: Uint8Array): void {
    if (this.#isOver) return
    const pcm = this.#ears.push(decodeMulaw(audio))
    const data = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).toString('base64')
    this.#send({ realtimeInput: { audio: { data, mimeType: `audio/pcm;rate=${HEARS_HZ}` } } })
  }

  /** The vendor breaks off what it says for this: it waits for the end, unless that is unwanted anyway. */
  respond(instructions: string): void {
    if (this.#utterance !== null) {
      this.#wanted = instructions
      return
    }
    const turns = [{ role: 'user', parts: [{ text: instructions }] }]
    this.#send({ clientContent: { turns, turnComplete: true } })
  }

  remember({ role, content }: SaidText): void {
    const turns = [{ role: role === 'user' ? 'user' : 'model', parts: [{ text: content }] }]
    this.#send({ clientContent: { turns, turnComplete: false } })
  }

  answerTool(callId: string, output: string): void {
    const name = this.#toolNames.get(callId)
    if (name === undefined) return
    this.#toolNames.delete(callId)
    const functionResponses = [{ id: callId, name, response: { output } }]
    this.#send({ toolResponse: { functionResponses } })
  }

  cut(utterance: string): void {
    if (utterance !== this.#utterance) return
    this.#isMuted = true
    this.#endUtterance()
  }

  close(): void {
    if (this.#isOver) return
    this.#end()
    this.#socket.close()
  }

  #connect(): VendorSocket {
    const { timers, logger, limits, apiKey } = this.#options
    const url = new URL(this.#options.url ?? GEMINI_LIVE_URL)
    url.searchParams.set('key', apiKey)
    this.#stopWaiting()
    this.#stopWaiting = timers.after(READY_MS, () =>
      this.#fail(new AdapterError('the realtime model is not ready', { retryable: true })),
    )
    const socket: VendorSocket = new VendorSocket({
      name: this.#request.model.provider,
      url: url.href,
      timers,
      logger,
      ...(limits && { limits }),
      onMessage: (message) => {
        if (socket === this.#socket) this.#receive(message)
      },
      onLost: (error) => {
        if (socket === this.#socket) this.#lose(error)
      },
    })
    socket.send(setup(this.#request, this.#resumeWith))
    return socket
  }

  #send(frame: object): void {
    if (this.#isOver) return
    if (this.#waiting === null) return this.#socket.send(frame)
    this.#waiting.push(frame)
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift()
  }

  #receive(message: VendorMessage): void {
    for (const event of readGeminiLive(message)) if (!this.#isOver) this.#take(event)
  }

  #take(event: GeminiEvent): void {
    switch (event.type) {
      case 'ready':
        return this.#ready()
      case 'resumption':
        this.#resumeWith = event.handle
        return
      case 'goAway':
        return this.#moveOn()
      case 'userDelta':
        this.#userText += event.text
        this.#listener({ type: 'userText', text: this.#userText.trim(), isFinal: false })
        if (event.isFinal) this.#endUserText()
        return
      case 'speech': {
        this.#endUserText()
        const audio = encodeMulaw(this.#mouth.push(event.pcm))
        if (this.#isMuted || audio.length === 0) return
        return this.#listener({ type: 'audio', utterance: this.#utteranceNow(), audio })
      }
      case 'agentDelta':
        this.#endUserText()
        if (this.#isMuted) return
        return this.#listener({
          type: 'agentText',
          utterance: this.#utteranceNow(),
          text: event.text,
        })
      case 'turnDone':
        this.#isMuted = false
        this.#endUserText()
        return this.#endUtterance()
      case 'interrupted':
        this.#isMuted = false
        this.#listener({ type: 'interrupted' })
        return this.#endUtterance()
      case 'toolCall':
        this.#endUserText()
        this.#toolNames.set(event.call.id, event.call.name)
        return this.#listener(event)
      case 'toolCancelled':
        this.#toolNames.delete(event.callId)
        return this.#listener(event)
      default:
        return this.#listener(event)
    }
  }

  #ready(): void {
    this.#stopWaiting()
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const frame of waiting) this.#socket.send(frame)
    if (!this.#hasBeenReady) this.#listener({ type: 'ready' })
    this.#hasBeenReady = true
  }

  /** The vendor ends this connection soon: what is said from now on goes over the next one. */
  #moveOn(): void {
    if (this.#resumeWith === null) return
    const old = this.#socket
    this.#reconnect()
    old.close()
  }

  #lose(error: AdapterError): void {
    if (this.#hasBeenReady && this.#resumeWith !== null && error.retryable) this.#reconnect()
    else this.#fail(error)
  }

  #reconnect(): void {
    this.#waiting ??= []
    this.#endUtterance()
    this.#socket = this.#connect()
    // A handle that leads nowhere is not tried twice.
    this.#resumeWith = null
  }

  #utteranceNow(): string {
    this.#utterance ??= `turn-${(this.#turns += 1)}`
    return this.#utterance
  }

  #endUtterance(): void {
    const utterance = this.#utterance
    this.#utterance = null
    if (utterance === null) return
    const rest = encodeMulaw(this.#mouth.flush())
    this.#mouth = new Resampler({ fromHz: SPEAKS_HZ, toHz: SAMPLE_RATE_HZ })
    if (rest.length > 0 && !this.#isMuted) {
      this.#listener({ type: 'audio', utterance, audio: rest })
    }
    this.#listener({ type: 'utteranceDone', utterance })
    const wanted = this.#wanted
    this.#wanted = null
    if (wanted !== null) this.respond(wanted)
  }

  #endUserText(): void {
    const text = this.#userText.trim()
    this.#userText = ''
    if (text !== '') this.#listener({ type: 'userText', text, isFinal: true })
  }

  #fail(error: AdapterError): void {
    if (this.#isOver) return
    this.#end()
    this.#socket.close()
    this.#listener({ type: 'failed', error })
  }

  #end(): void {
    this.#isOver = true
    this.#waiting = null
    this.#stopWaiting()
  }
}

function setup(request: RealtimeOptions, handle: string | null): object {
  const { model, instructions, tools } = request
  const voiceName = model.realtimeVoiceId ?? DEFAULT_VOICE
  const name = model.realtimeModelId
  return {
    setup: {
      model: name.startsWith('models/') ? name : `models/${name}`,
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
      },
      systemInstruction: { parts: [{ text: instructions }] },
      ...(tools.length > 0 && { tools: [{ functionDeclarations: tools }] }),
      realtimeInputConfig: { activityHandling: 'START_OF_ACTIVITY_INTERRUPTS' },
      inputAudioTranscription: {},
      outputAudioTranscription: {},
      sessionResumption: handle === null ? {} : { handle },
      contextWindowCompression: { slidingWindow: {} },
    },
  }
}
