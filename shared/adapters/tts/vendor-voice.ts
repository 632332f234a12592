import type { Voice } from '#shared/domain/assistant.ts'
import { languagesOfVoice } from '#shared/domain/voice-catalogue.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { SpeechChunk, SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

import { SpeechConnection } from './speech-connection.ts'
import type { ConnectionDeps } from './speech-connection.ts'
import { Sentence, SpeechContext } from './speech-context.ts'
import type { SpeechSettings } from './speech-protocol.ts'

export interface VendorVoiceOptions extends ConnectionDeps {
  /** The vendor's ids of the voices of our catalogue; a voice that is not in it is the vendor's own. */
  readonly voiceIds?: Readonly<Record<string, string>>
  /** Speaks for assistants without a voice. */
  readonly defaultVoice: Voice
}

/** `close` ends its connections and what is being said over them. */
export interface VendorVoice extends TextToSpeech {
  close(): void
}

/**
 * A voice over a vendor's WebSocket. Connections are opened when they are needed, shared by all
 * calls of the process, and kept for a while.
 */
export function vendorVoice(options: VendorVoiceOptions): VendorVoice {
  return new MultiplexedVoice(options)
}

/** The sentences of one utterance: those that wait, and the context in which the others are said. */
interface Utterance {
  readonly key: string
  readonly settings: SpeechSettings
  readonly isAlone: boolean
  readonly waiting: Sentence[]
  live: { readonly context: SpeechContext; readonly connection: SpeechConnection } | null
}

class MultiplexedVoice implements VendorVoice {
  readonly #options: VendorVoiceOptions
  /** By the address they lead to. */
  readonly #connections = new Map<string, Set<SpeechConnection>>()
  readonly #utterances = new Map<string, Utterance>()
  #names = 0

  constructor(options: VendorVoiceOptions) {
    this.#options = options
  }

  async *synthesize(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    signal.throwIfAborted()
    const text = request.text.trim()
    if (text === '') return
    const sentence = new Sentence(text)
    const utterance = this.#utteranceOf(request)
    const leave = (): void => this.#leave(utterance, sentence, signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    try {
      this.#say(utterance, sentence)
      for await (const chunk of sentence.chunks) {
        signal.throwIfAborted()
        yield chunk
      }
      signal.throwIfAborted()
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  close(): void {
    for (const connections of this.#connections.values()) {
      for (const connection of connections) connection.close()
    }
  }

  #utteranceOf(request: SpeechRequest): Utterance {
    const settings = this.#settingsOf(request)
    const key = request.utterance ?? `alone-${(this.#names += 1)}`
    const known = this.#utterances.get(key)
    if (known !== undefined) return known
    const isAlone = request.utterance === undefined
    const utterance: Utterance = { key, settings, isAlone, waiting: [], live: null }
    this.#utterances.set(key, utterance)
    return utterance
  }

  #settingsOf(request: SpeechRequest): SpeechSettings {
    const { defaultVoice, voiceIds } = this.#options
    const voice = request.voice ?? defaultVoice
    return {
      voice: { ...voice, id: voiceIds?.[voice.id] ?? voice.id },
      pronunciationDictionaryId: request.pronunciationDictionaryId,
      language: languagesOfVoice(voice)[0] ?? null,
    }
  }

  #say(utterance: Utterance, sentence: Sentence): void {
    const { protocol } = this.#options
    const { live, settings } = utterance
    if (live === null) return this.#open(utterance, sentence)
    if (!protocol.joinsSentences) return void utterance.waiting.push(sentence)
    live.context.add(sentence)
    live.connection.send(protocol.say(live.context.id, sentence.text, settings))
  }

  #open(utterance: Utterance, sentence: Sentence): void {
    const { protocol } = this.#options
    const { settings } = utterance
    const connection = this.#connectionTo(settings)
    if (connection === null) {
      const message = `the ${protocol.name} has no free connection`
      sentence.end(new AdapterError(message, { retryable: true }))
      return this.#over(utterance)
    }
    const id = `c${(this.#names += 1)}`
    const context = new SpeechContext(id, protocol.wordTimesFrom)
    context.add(sentence)
    utterance.live = { context, connection }
    connection.add(context, () => this.#over(utterance))
    connection.send(protocol.open(id, settings))
    connection.send(protocol.say(id, sentence.text, settings))
    if (utterance.isAlone || !protocol.joinsSentences) this.#finish(utterance)
  }

  /** The context is over; whoever waited for it is next. */
  #over(utterance: Utterance): void {
    utterance.live = null
    const next = utterance.waiting.shift()
    if (next === undefined) this.#forget(utterance)
    else this.#open(utterance, next)
  }

  /** Nobody listens to the sentence any more: it was said to its end, or is not wanted. */
  #leave(utterance: Utterance, sentence: Sentence, reason: unknown): void {
    const isSaid = sentence.isOver
    sentence.end(reason)
    const index = utterance.waiting.indexOf(sentence)
    if (index >= 0) utterance.waiting.splice(index, 1)
    const { live } = utterance
    if (live === null || !live.context.isIdle) return
    if (!isSaid) return live.connection.cancel(live.context.id)
    if (live.context.isFinished) return
    // Said out: sentences that still come begin anew.
    this.#finish(utterance)
    this.#forget(utterance)
  }

  #finish({ live, settings }: Utterance): void {
    if (live === null) return
    live.context.isFinished = true
    live.connection.send(this.#options.protocol.finish(live.context.id, settings))
  }

  #forget(utterance: Utterance): void {
    if (this.#utterances.get(utterance.key) === utterance) this.#utterances.delete(utterance.key)
  }

  #connectionTo(settings: SpeechSettings): SpeechConnection | null {
    const { protocol } = this.#options
    const { url } = protocol.address(settings)
    const connections = this.#connections.get(url) ?? new Set()
    this.#connections.set(url, connections)
    for (const connection of connections) if (connection.hasRoom) return connection
    if (connections.size >= protocol.connectionsMax) return null
    const connection: SpeechConnection = new SpeechConnection(this.#options, settings, () => {
      connections.delete(connection)
      if (connections.size === 0) this.#connections.delete(url)
    })
    connections.add(connection)
    return connection
  }
}
