import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'
import { languagesOfVoice } from '#shared/domain/voice-catalogue.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { RealtimeEvent, RealtimeModel, RealtimeStream } from '#shared/ports/realtime-model.ts'

import type { ConversationCommand } from '../engine/conversation-command.ts'
import type { ConversationEvent } from '../engine/conversation-event.ts'
import { END_CALL_TOOL } from '../engine/end-call-tool.ts'
import type { ConversationSettings } from '../engine/settings.ts'
import type { MediaCommand } from '../media-worker/call-media.ts'
import type { EventWithoutTime } from './event-without-time.ts'

export interface RealtimeVoiceDeps {
  readonly realtimeModel: RealtimeModel
  readonly model: Extract<LlmModel, { type: 'realtime' }>
  readonly settings: Pick<ConversationSettings, 'prompt' | 'tools'>
  readonly assistant: Pick<AssistantSettings, 'voice'>
  /** For the vendor's logs. */
  readonly reference: string
  readonly logger: Logger
  /** Ms of the session. */
  readonly now: () => number
  readonly perform: (command: MediaCommand) => void
  readonly emit: (event: EventWithoutTime) => void
}

export type RealtimeCommand = Extract<
  ConversationCommand,
  {
    readonly type:
      | 'letModelListen'
      | 'haveModelSpeak'
      | 'answerModelTool'
      | 'cutModel'
      | 'queueUtterance'
  }
>
type Heard = Extract<ConversationEvent, { readonly type: 'speechStarted' | 'speechEnded' }>

/** A speech-to-speech model: its audio on its way to the callee, all else of it as events. */
export class RealtimeVoice {
  readonly #deps: RealtimeVoiceDeps
  readonly #stream: RealtimeStream
  /** Ms of audio that came of each utterance. */
  readonly #saidMs = new Map<string, number>()
  /** The callee's latest stretch of speech. */
  #speech = { startedAtMs: 0, endedAtMs: null as number | null }
  #isListening = false

  /** Connects; the model hears nothing yet. */
  constructor(deps: RealtimeVoiceDeps) {
    this.#deps = deps
    const { assistant, model, reference, settings } = deps
    this.#stream = deps.realtimeModel.open(
      {
        model,
        instructions: settings.prompt,
        tools: [...settings.tools.filter(({ name }) => name !== END_CALL_TOOL.name), END_CALL_TOOL],
        history: [],
        languageHints: languagesOfVoice(assistant.voice),
        reference,
      },
      (event) => this.#hear(event),
    )
  }

  get isListening(): boolean {
    return this.#isListening
  }

  /** Whole frames of the callee. */
  write(audio: Uint8Array): void {
    this.#stream.write(audio)
  }

  /** What the callee does, by the ears of the process. */
  notice(event: Heard): void {
    if (event.type === 'speechStarted') {
      this.#speech = { startedAtMs: event.startedAtMs, endedAtMs: null }
    } else this.#speech = { ...this.#speech, endedAtMs: event.endedAtMs }
  }

  perform(command: RealtimeCommand): void {
    switch (command.type) {
      case 'letModelListen':
        this.#isListening = true
        for (const said of command.said) this.#stream.remember(said)
        return
      case 'haveModelSpeak':
        return this.#stream.respond(command.instructions)
      case 'answerModelTool':
        return this.#stream.answerTool(command.callId, command.output)
      case 'cutModel':
        return this.#stream.cut(command.utterance, command.heardMs)
      case 'queueUtterance':
        return this.#deps.perform({ type: 'queueSpeech', speechId: command.utterance, text: '' })
    }
  }

  /** How much has come of what the model says; undefined when it is nothing of the model's. */
  saidMs(speechId: string): number | undefined {
    return this.#saidMs.get(speechId)
  }

  close(): void {
    this.#stream.close()
  }

  #hear(event: RealtimeEvent): void {
    const { emit, logger, perform } = this.#deps
    switch (event.type) {
      case 'audio':
        return this.#play(event.utterance, event.audio)
      case 'agentText':
        this.#begin(event.utterance)
        return emit({ type: 'modelText', utterance: event.utterance, text: event.text })
      case 'utteranceDone':
        return perform({ type: 'completeSpeech', speechId: event.utterance })
      case 'userText':
        return event.isFinal ? this.#hearCallee(event.text) : undefined
      case 'interrupted':
        return emit({ type: 'modelInterrupted' })
      case 'toolCall':
        return emit({ type: 'modelToolCall', call: event.call })
      case 'toolCancelled':
        return emit({ type: 'modelToolCancelled', callId: event.callId })
      case 'answerFailed':
        logger.warn('the realtime model could not answer', { error: event.error })
        return emit({ type: 'modelFailed' })
      case 'failed':
        logger.error('the realtime model was lost', { error: event.error })
        return emit({ type: 'modelLost' })
      case 'ready':
      case 'speechStarted':
      case 'speechStopped':
        return
    }
  }

  /** Vendors do not tell when it was said: that is known from the sound. */
  #hearCallee(text: string): void {
    const { startedAtMs, endedAtMs } = this.#speech
    const untilMs = endedAtMs ?? this.#deps.now()
    this.#deps.emit({ type: 'finalTranscript', text, startedAtMs, endedAtMs: untilMs })
  }

  /** What the conversation does not want of it was not queued, and is dropped. */
  #play(utterance: string, audio: Uint8Array): void {
    const saidMs = this.#begin(utterance)
    this.#saidMs.set(utterance, saidMs + audio.length / SAMPLES_PER_MS)
    this.#deps.perform({ type: 'addAudio', speechId: utterance, audio, words: [] })
  }

  #begin(utterance: string): number {
    const known = this.#saidMs.get(utterance)
    if (known !== undefined) return known
    this.#saidMs.set(utterance, 0)
    this.#deps.emit({ type: 'modelBegan', utterance })
    return 0
  }
}
