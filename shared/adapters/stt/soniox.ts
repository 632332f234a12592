import { FRAME_BYTES, SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { SpeechToText, SttEvent, SttOptions, SttStream } from '#shared/ports/speech-to-text.ts'

import { VendorSocket } from '../websocket/vendor-socket.ts'
import type { SocketLimits, VendorMessage } from '../websocket/vendor-socket.ts'
import { EMPTY_TRANSCRIPT, readTokens } from './soniox-transcript.ts'

/** Where the vendor's European and Japanese customers connect instead: `stt-rt.eu.`, `stt-rt.jp.`. */
export const SONIOX_URL = 'wss://stt-rt.soniox.com/transcribe-websocket'

/** Whoever sends no audio must send a sign of life at least every 20 s. */
const BEAT_MS = 5_000
/** A recogniser that took audio but said nothing for so many beats is asked for an answer... */
const QUIET_BEATS = 3
/** ...and given up when none has come at this one. */
const DEAD_BEATS = 5
/** Longest reference that the vendor takes. */
const REFERENCE_MAX = 256

export interface SonioxOptions {
  readonly apiKey: string
  readonly url?: string
  readonly timers: Timers
  readonly logger: Logger
  readonly limits?: SocketLimits
  /**
   * Least frames of audio in one message: more make a process carry more calls, and every call 20 ms
   * slower for each.
   */
  readonly framesPerMessage?: number
  /** Longest silence after which the vendor must end a turn: 500 to 3000 ms. */
  readonly maxEndpointDelayMs?: number
}

/**
 * The recognisers `stt-rt-v4` and `stt-rt-v5` (reference/protocols-media.md 5). A stream that failed
 * is over: its user opens another one and gives it the audio that was not recognised.
 */
export function sonioxSpeechToText(options: SonioxOptions): SpeechToText {
  return { open: (request, listener) => new SonioxStream(options, request, listener) }
}

class SonioxStream implements SttStream {
  readonly #options: SonioxOptions
  readonly #listener: (event: SttEvent) => void
  readonly #socket: VendorSocket
  readonly #messageBytes: number
  #audio: Uint8Array[] = []
  #audioBytes = 0
  #transcript = EMPTY_TRANSCRIPT
  #isOver = false
  #wasWritten = false
  #quietBeats = 0
  #stopBeat: () => void = () => undefined

  constructor(options: SonioxOptions, request: SttOptions, listener: (event: SttEvent) => void) {
    this.#options = options
    this.#listener = listener
    this.#messageBytes = (options.framesPerMessage ?? 1) * FRAME_BYTES
    const { timers, logger, limits } = options
    this.#socket = new VendorSocket({
      name: 'recogniser',
      url: options.url ?? SONIOX_URL,
      timers,
      logger,
      ...(limits && { limits }),
      onMessage: (message) => this.#receive(message),
      onLost: (error) => this.#fail(error),
    })
    this.#socket.send(configuration(options, request))
    this.#beat()
  }

  write(audio: Uint8Array): void {
    if (this.#isOver) return
    this.#wasWritten = true
    this.#audio.push(audio)
    this.#audioBytes += audio.length
    if (this.#audioBytes >= this.#messageBytes) this.#sendAudio()
  }

  finalize(): void {
    if (this.#isOver) return
    this.#sendAudio()
    this.#socket.send({ type: 'finalize' })
  }

  close(): void {
    if (this.#isOver) return
    this.#end()
    // The end of the audio; what the vendor still says of it is not waited for.
    this.#socket.send('')
    this.#socket.close()
  }

  #sendAudio(): void {
    const [first, ...more] = this.#audio
    if (first === undefined) return
    this.#socket.send(more.length === 0 ? first : Buffer.concat(this.#audio))
    this.#audio = []
    this.#audioBytes = 0
  }

  #receive(message: VendorMessage): void {
    this.#quietBeats = 0
    const { error_code: code, finished } = message
    if (code !== undefined && code !== null) return this.#fail(errorOf(code))
    const { transcript, events } = readTokens(this.#transcript, message)
    this.#transcript = transcript
    for (const event of events) if (!this.#isOver) this.#listener(event)
    if (finished === true) {
      this.#fail(new AdapterError('the recogniser ended the stream', { retryable: true }))
    }
  }

  /** Keeps the stream alive without audio, and notices a vendor that takes audio and never answers. */
  #beat(): void {
    this.#stopBeat = this.#options.timers.after(BEAT_MS, () => {
      if (!this.#wasWritten) this.#socket.send({ type: 'keepalive' })
      else this.#quietBeats += 1
      this.#wasWritten = false
      if (this.#quietBeats === QUIET_BEATS) this.finalize()
      if (this.#quietBeats < DEAD_BEATS) return this.#beat()
      this.#fail(new AdapterError('the recogniser was silent', { retryable: true }))
    })
  }

  #fail(error: AdapterError): void {
    if (this.#isOver) return
    this.#end()
    this.#socket.close()
    this.#listener({ type: 'failed', error })
  }

  #end(): void {
    this.#isOver = true
    this.#audio = []
    this.#stopBeat()
  }
}

function configuration(options: SonioxOptions, request: SttOptions): object {
  const { general, terms } = request.context
  return {
    api_key: options.apiKey,
    model: request.model,
    audio_format: 'mulaw',
    sample_rate: SAMPLE_RATE_HZ,
    num_channels: 1,
    ...(request.languageHints.length > 0 && { language_hints: request.languageHints }),
    enable_endpoint_detection: true,
    ...(options.maxEndpointDelayMs !== undefined && {
      max_endpoint_delay_ms: options.maxEndpointDelayMs,
    }),
    client_reference_id: request.reference.slice(0, REFERENCE_MAX),
    ...(general.length + terms.length > 0 && { context: { general, terms } }),
  }
}

/** The vendor's words stay out: they may repeat the configuration. */
function errorOf(code: unknown): AdapterError {
  const status = typeof code === 'number' ? code : null
  const isFinal = status !== null && [400, 401, 402, 403, 404].includes(status)
  return new AdapterError('the recogniser reported an error', { retryable: !isFinal, status })
}
