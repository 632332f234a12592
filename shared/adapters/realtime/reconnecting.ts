import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { heardText } from '#shared/audio/heard-text.ts'
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

/** Waits before each new stream in a row; after the last one fails too, the model is given up. */
const REOPEN_AFTER_MS = [0, 500, 1_000, 2_000]
/** Audio of the caller that is kept while there is no stream. */
const KEPT_AUDIO_BYTES = 10_000 * SAMPLES_PER_MS
/** What a new stream is told of the conversation: its end. */
const HISTORY_MAX = 200
const GO_ON =
  'The line was lost for a moment. Go on where you were, without a word about it, and do not repeat what was said.'

/**
 * A model over as many streams as it takes: a new one is told what was said, hears what the caller
 * said meanwhile, and goes on where the lost one stopped. Tools that were called are cancelled.
 */
export function reconnectingRealtime(
  model: RealtimeModel,
  deps: { readonly timers: Timers; readonly logger: Logger },
): RealtimeModel {
  return { open: (options, listener) => new ReconnectingStream(model, deps, options, listener) }
}

interface Utterance {
  text: string
  saidMs: number
  /** Its place in the history. */
  readonly said: { role: 'assistant'; content: string }
}

class ReconnectingStream implements RealtimeStream {
  readonly #model: RealtimeModel
  readonly #deps: { readonly timers: Timers; readonly logger: Logger }
  readonly #options: RealtimeOptions
  readonly #listener: (event: RealtimeEvent) => void
  readonly #history: SaidText[]
  readonly #utterances = new Map<string, Utterance>()
  readonly #openUtterances = new Set<string>()
  readonly #openCalls = new Set<string>()
  #stream: RealtimeStream | null = null
  #streams = 0
  #failures = 0
  #hasBeenReady = false
  /** The model has something to say that did not come. */
  #owesAnswer = false
  #keptAudio: Uint8Array[] = []
  #keptBytes = 0
  #stopWaiting: () => void = () => undefined
  #isOver = false

  constructor(
    model: RealtimeModel,
    deps: { readonly timers: Timers; readonly logger: Logger },
    options: RealtimeOptions,
    listener: (event: RealtimeEvent) => void,
  ) {
    this.#model = model
    this.#deps = deps
    this.#options = options
    this.#listener = listener
    this.#history = [...options.history]
    this.#open()
  }

  write(audio: Uint8Array): void {
    if (this.#stream !== null) return this.#stream.write(audio)
    if (this.#isOver) return
    this.#keptAudio.push(audio)
    this.#keptBytes += audio.length
    while (this.#keptBytes > KEPT_AUDIO_BYTES) {
      this.#keptBytes -= this.#keptAudio.shift()?.length ?? 0
    }
  }

  respond(instructions: string): void {
    this.#owesAnswer = true
    this.#stream?.respond(instructions)
  }

  remember(said: SaidText): void {
    this.#note(said)
    this.#stream?.remember(said)
  }

  answerTool(callId: string, output: string): void {
    if (!this.#openCalls.delete(callId)) return
    this.#owesAnswer = true
    this.#stream?.answerTool(withoutStream(callId), output)
  }

  cut(name: string, heardMs: number): void {
    const utterance = this.#utterances.get(name)
    if (utterance !== undefined) {
      const { text, saidMs } = utterance
      const totalMs = this.#openUtterances.has(name) ? null : saidMs
      utterance.said.content = heardText({ text, words: [], heardMs, totalMs })
    }
    if (this.#isOfNow(name)) this.#stream?.cut(withoutStream(name), heardMs)
  }

  close(): void {
    this.#isOver = true
    this.#stopWaiting()
    this.#stream?.close()
    this.#stream = null
    this.#keptAudio = []
  }

  #open(): void {
    this.#streams += 1
    const number = this.#streams
    const options = { ...this.#options, history: this.#history.filter(({ content }) => content) }
    const stream = this.#model.open(options, (event) => {
      // One that was given up reports to nobody.
      if (!this.#isOver && number === this.#streams) this.#hear(event)
    })
    this.#stream = stream
    for (const audio of this.#keptAudio.splice(0)) stream.write(audio)
    this.#keptBytes = 0
    if (number > 1 && this.#owesAnswer) stream.respond(GO_ON)
  }

  #hear(event: RealtimeEvent): void {
    switch (event.type) {
      case 'ready':
        this.#failures = 0
        if (this.#hasBeenReady) return
        this.#hasBeenReady = true
        return this.#listener(event)
      case 'userText':
        if (event.isFinal) {
          this.#note({ role: 'user', content: event.text })
          this.#owesAnswer = true
        }
        return this.#listener(event)
      case 'audio': {
        const utterance = this.#name(event.utterance)
        this.#utteranceOf(utterance).saidMs += event.audio.length / SAMPLES_PER_MS
        return this.#listener({ ...event, utterance })
      }
      case 'agentText': {
        const utterance = this.#name(event.utterance)
        const known = this.#utteranceOf(utterance)
        known.text += event.text
        known.said.content = known.text
        return this.#listener({ ...event, utterance })
      }
      case 'utteranceDone': {
        const utterance = this.#name(event.utterance)
        this.#openUtterances.delete(utterance)
        this.#owesAnswer = false
        return this.#listener({ type: 'utteranceDone', utterance })
      }
      case 'interrupted':
        this.#owesAnswer = false
        return this.#listener(event)
      case 'toolCall': {
        const id = this.#name(event.call.id)
        this.#openCalls.add(id)
        this.#owesAnswer = false
        return this.#listener({ type: 'toolCall', call: { ...event.call, id } })
      }
      case 'toolCancelled': {
        const callId = this.#name(event.callId)
        this.#openCalls.delete(callId)
        return this.#listener({ type: 'toolCancelled', callId })
      }
      case 'failed':
        return this.#reopen(event)
      default:
        return this.#listener(event)
    }
  }

  #reopen(failed: Extract<RealtimeEvent, { type: 'failed' }>): void {
    const { logger, timers } = this.#deps
    const { error } = failed
    this.#stream?.close()
    this.#stream = null
    // Nothing is said by nobody.
    if (this.#openUtterances.size + this.#openCalls.size > 0) this.#owesAnswer = true
    for (const utterance of this.#openUtterances)
      this.#listener({ type: 'utteranceDone', utterance })
    for (const callId of this.#openCalls) this.#listener({ type: 'toolCancelled', callId })
    this.#openUtterances.clear()
    this.#openCalls.clear()
    const isFinal = error instanceof AdapterError && !error.retryable
    const waitMs = isFinal ? undefined : REOPEN_AFTER_MS[this.#failures]
    this.#failures += 1
    logger.warn('the realtime model failed', { error, failures: this.#failures })
    if (waitMs !== undefined) {
      this.#stopWaiting = timers.after(waitMs, () => this.#open())
      return
    }
    this.#isOver = true
    this.#listener(failed)
  }

  #note(said: SaidText): void {
    this.#history.push(said)
    if (this.#history.length > HISTORY_MAX) this.#history.shift()
  }

  #utteranceOf(name: string): Utterance {
    const known = this.#utterances.get(name)
    if (known !== undefined) return known
    const said = { role: 'assistant' as const, content: '' }
    const utterance = { text: '', saidMs: 0, said }
    this.#note(said)
    this.#utterances.set(name, utterance)
    this.#openUtterances.add(name)
    return utterance
  }

  /** Names of different streams must not be taken for one another. */
  #name(name: string): string {
    return `${this.#streams}/${name}`
  }

  #isOfNow(name: string): boolean {
    return name.startsWith(`${this.#streams}/`)
  }
}

function withoutStream(name: string): string {
  return name.slice(name.indexOf('/') + 1)
}
