import type { SpokenWord } from '#shared/audio/word-times.ts'
import type { ChatMessage } from '#shared/domain/chat.ts'
import { DEFAULT_LLM_MODEL } from '#shared/domain/llm-model.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type {
  RealtimeEvent,
  RealtimeModel,
  RealtimeOptions,
  RealtimeStream,
  SaidText,
} from '#shared/ports/realtime-model.ts'
import type { SpeechToText, SttEvent, SttStream } from '#shared/ports/speech-to-text.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

export interface SimulatedRealtimeOptions {
  readonly speechToText: SpeechToText
  readonly languageModel: LanguageModel
  readonly textToSpeech: TextToSpeech
}

/** A speech-to-speech model for the local stack: a recogniser, a chat model and a voice in a row. */
export function simulatedRealtime(options: SimulatedRealtimeOptions): RealtimeModel {
  return { open: (request, listener) => new SimulatedStream(options, request, listener) }
}

/** What was said last, for what is cut off it. */
interface Utterance {
  readonly name: string
  readonly words: SpokenWord[]
  readonly answer: AbortController
  readonly message: number
}

class SimulatedStream implements RealtimeStream {
  readonly #options: SimulatedRealtimeOptions
  readonly #request: RealtimeOptions
  readonly #listener: (event: RealtimeEvent) => void
  readonly #ears: SttStream
  readonly #messages: ChatMessage[] = []
  /** Tools that have not answered yet. */
  readonly #openCalls = new Set<string>()
  #turn: string[] = []
  #answer: AbortController | null = null
  #utterance: Utterance | null = null
  #utterances = 0
  #isOver = false

  constructor(
    options: SimulatedRealtimeOptions,
    request: RealtimeOptions,
    listener: (event: RealtimeEvent) => void,
  ) {
    this.#options = options
    this.#request = request
    this.#listener = (event) => {
      if (!this.#isOver) listener(event)
    }
    this.#messages.push({ role: 'system', content: request.instructions }, ...request.history)
    const { languageHints, reference } = request
    const context = { general: [], terms: [] }
    this.#ears = options.speechToText.open(
      { model: 'stt-rt-v5', languageHints, context, reference },
      (event) => this.#hear(event),
    )
    queueMicrotask(() => this.#listener({ type: 'ready' }))
  }

  write(audio: Uint8Array): void {
    this.#ears.write(audio)
  }

  respond(instructions: string): void {
    this.#messages.push({ role: 'system', content: instructions })
    void this.#think()
  }

  remember(said: SaidText): void {
    this.#messages.push(said)
  }

  answerTool(toolCallId: string, content: string): void {
    if (!this.#openCalls.delete(toolCallId)) return
    this.#messages.push({ role: 'tool', toolCallId, content })
    if (this.#openCalls.size === 0) void this.#think()
  }

  cut(utterance: string, heardMs: number): void {
    if (utterance !== this.#utterance?.name) return
    const { words, answer, message } = this.#utterance
    answer.abort()
    const heard = words.filter(({ endMs }) => endMs <= heardMs)
    this.#messages[message] = {
      role: 'assistant',
      content: heard.map(({ text }) => text).join(' '),
    }
  }

  close(): void {
    this.#isOver = true
    this.#answer?.abort()
    this.#ears.close()
  }

  #hear(event: SttEvent): void {
    switch (event.type) {
      case 'interim': {
        if (this.#answer !== null) {
          this.#answer.abort()
          this.#answer = null
          this.#listener({ type: 'interrupted' })
        }
        const text = [...this.#turn, event.text].join(' ')
        return this.#listener({ type: 'userText', text, isFinal: false })
      }
      case 'final':
        return void this.#turn.push(event.text)
      case 'endOfTurn': {
        const content = this.#turn.splice(0).join(' ')
        this.#listener({ type: 'userText', text: content, isFinal: true })
        this.#messages.push({ role: 'user', content })
        return void this.#think()
      }
      case 'failed':
        this.#listener(event)
        return this.close()
    }
  }

  async #think(): Promise<void> {
    this.#answer?.abort()
    const answer = new AbortController()
    this.#answer = answer
    try {
      await this.#speak(answer)
    } catch (error) {
      if (!answer.signal.aborted) this.#listener({ type: 'answerFailed', error })
    } finally {
      if (this.#answer === answer) this.#answer = null
    }
  }

  async #speak(answer: AbortController): Promise<void> {
    const { signal } = answer
    const { languageModel } = this.#options
    const { tools } = this.#request
    const request = { model: DEFAULT_LLM_MODEL, messages: [...this.#messages], tools }
    const deltas = await Array.fromAsync(languageModel.stream(request, signal))
    const content = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
    const toolCalls = deltas.flatMap((delta) => (delta.type === 'toolCall' ? [delta.call] : []))
    this.#messages.push({ role: 'assistant', content, toolCalls })
    if (content !== '') await this.#say(content, answer)
    for (const call of toolCalls) {
      this.#openCalls.add(call.id)
      this.#listener({ type: 'toolCall', call })
    }
  }

  async #say(text: string, answer: AbortController): Promise<void> {
    const { signal } = answer
    const utterance = `utterance-${(this.#utterances += 1)}`
    const words: SpokenWord[] = []
    this.#utterance = { name: utterance, words, answer, message: this.#messages.length - 1 }
    this.#listener({ type: 'agentText', utterance, text })
    const request = { text, voice: null, pronunciationDictionaryId: null }
    for await (const chunk of this.#options.textToSpeech.synthesize(request, signal)) {
      words.push(...chunk.words)
      this.#listener({ type: 'audio', utterance, audio: chunk.audio })
    }
    this.#listener({ type: 'utteranceDone', utterance })
  }
}
