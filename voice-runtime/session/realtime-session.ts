import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import type { AttemptResult, EndedBy, EndReason } from '#shared/domain/call-attempt/attempt.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'
import type { SpeechEvent, TranscriptEntry } from '#shared/domain/transcript.ts'
import { languagesOfVoice } from '#shared/domain/voice-catalogue.ts'
import type {
  RealtimeEvent as ModelEvent,
  RealtimeModel,
  RealtimeStream,
} from '#shared/ports/realtime-model.ts'

import type { TimerName } from '../engine/conversation-event.ts'
import { END_CALL_TOOL } from '../engine/end-call-tool.ts'
import {
  decideRealtimeConversation,
  startRealtimeConversation,
} from '../engine/realtime-conversation.ts'
import type { RealtimeState, RealtimeStep } from '../engine/realtime-conversation.ts'
import type { RealtimeCommand, RealtimeEvent } from '../engine/realtime-event.ts'
import type { MediaEvent } from '../media-worker/call-media.ts'
import type {
  CallSession,
  CallSessionInput,
  CallSessionPorts,
  SessionReport,
} from './call-session.ts'
import { Speaking } from './speaking.ts'
import { Thinking } from './thinking.ts'

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never

export interface RealtimeSessionPorts extends CallSessionPorts {
  readonly realtimeModel: RealtimeModel
}

/** Holds a conversation whose model hears and speaks itself. */
export function startRealtimeSession(
  ports: RealtimeSessionPorts,
  input: CallSessionInput,
  model: Extract<LlmModel, { type: 'realtime' }>,
): CallSession {
  const session = new RealtimeSession(ports, input, model)
  session.start()
  return session
}

/** Carries audio between the callee and the model, and performs what the conversation decides. */
class RealtimeSession implements CallSession {
  readonly report: Promise<SessionReport>
  readonly #resolve: (report: SessionReport) => void
  readonly #ports: RealtimeSessionPorts
  readonly #input: CallSessionInput
  readonly #model: RealtimeStream
  readonly #speaking: Speaking
  readonly #tools: Thinking
  /** Ms of audio that came of each utterance that is queued. */
  readonly #saidMs = new Map<string, number>()
  readonly #timers = new Map<TimerName, () => void>()
  readonly #inbox: RealtimeEvent[] = []
  readonly #transcript: TranscriptEntry[] = []
  readonly #speechEvents: SpeechEvent[] = []
  #state: RealtimeState | null = null
  #result: AttemptResult | null = null
  #isModelListening = false
  #isDeciding = false
  #isOver = false

  constructor(
    ports: RealtimeSessionPorts,
    input: CallSessionInput,
    model: Extract<LlmModel, { type: 'realtime' }>,
  ) {
    this.#ports = ports
    this.#input = input
    const { promise, resolve } = Promise.withResolvers<SessionReport>()
    this.report = promise
    this.#resolve = resolve
    const { assistant, settings } = input
    const reference = ports.ids.next('ses')
    const shared = { ...ports, assistant, reference, now: () => this.#now() }
    this.#speaking = new Speaking({
      ...shared,
      perform: (command) => input.media.perform(command),
      emit: (event) => {
        if (event.type === 'speechFailed') this.#emit(event)
      },
    })
    this.#tools = new Thinking({
      ...shared,
      model,
      emit: (event) => {
        if (event.type === 'toolAnswered') this.#emit(event)
      },
    })
    this.#model = ports.realtimeModel.open(
      {
        model,
        instructions: settings.prompt,
        tools: [...settings.tools, END_CALL_TOOL],
        history: [],
        languageHints: languagesOfVoice(assistant.voice),
        reference,
      },
      (event) => this.#hearModel(event),
    )
  }

  start(): void {
    this.#decide(() => startRealtimeConversation(this.#input.settings, this.#now()))
    this.#readInbox()
    this.#input.media.listen((event) => this.#hear(event))
  }

  requestEnd(endReason: 'client_initiated' | 'participant_removed'): void {
    this.#emit({ type: 'endRequested', endReason })
  }

  abandon(): void {
    this.#finish('system', null)
  }

  #now(): number {
    return Math.max(0, Math.round(this.#ports.clock.now() - this.#input.media.startedAt))
  }

  #hear(event: MediaEvent): void {
    switch (event.type) {
      case 'audio':
        if (this.#isModelListening) this.#model.write(event.audio)
        return
      case 'playoutFlushed': {
        const saidMs = this.#saidMs.get(event.speechId) ?? event.heardMs
        return this.#emit({ ...event, saidMs }, event.atMs)
      }
      case 'speechStarted':
      case 'speechEnded':
      case 'playoutStarted':
      case 'playoutDone':
        return this.#emit(event, event.atMs)
      case 'stopped':
        return this.#emit({ type: 'calleeHungUp' }, event.atMs)
      // A model that hears needs neither keys nor tones told.
      case 'dtmfReceived':
      case 'toneEnded':
      case 'alarmRang':
        return
    }
  }

  #hearModel(event: ModelEvent): void {
    switch (event.type) {
      case 'audio':
        return this.#play(event.utterance, event.audio)
      case 'agentText':
        this.#begin(event.utterance)
        return this.#emit({ type: 'modelText', utterance: event.utterance, text: event.text })
      case 'utteranceDone':
        return this.#input.media.perform({ type: 'completeSpeech', speechId: event.utterance })
      case 'userText':
        return event.isFinal ? this.#emit({ type: 'modelHeard', text: event.text }) : undefined
      case 'interrupted':
        return this.#emit({ type: 'modelInterrupted' })
      case 'toolCall':
        return this.#emit({ type: 'modelToolCall', call: event.call })
      case 'toolCancelled':
        return this.#emit({ type: 'modelToolCancelled', callId: event.callId })
      case 'answerFailed':
        this.#ports.logger.warn('the realtime model could not answer', { error: event.error })
        return this.#emit({ type: 'modelAnswerFailed' })
      case 'failed':
        this.#ports.logger.error('the realtime model was lost', { error: event.error })
        return this.#emit({ type: 'modelLost' })
      case 'ready':
      case 'speechStarted':
      case 'speechStopped':
        return
    }
  }

  /** What the conversation does not want of it was not queued, and is dropped. */
  #play(utterance: string, audio: Uint8Array): void {
    this.#begin(utterance)
    const saidMs = this.#saidMs.get(utterance) ?? 0
    this.#saidMs.set(utterance, saidMs + audio.length / SAMPLES_PER_MS)
    this.#input.media.perform({ type: 'addAudio', speechId: utterance, audio, words: [] })
  }

  #begin(utterance: string): void {
    if (this.#saidMs.has(utterance)) return
    this.#saidMs.set(utterance, 0)
    this.#emit({ type: 'modelBegan', utterance })
  }

  /** Events that arise while one is being decided wait for their turn. */
  #emit(event: WithoutTime<RealtimeEvent>, atMs = this.#now()): void {
    if (this.#isOver) return
    this.#inbox.push({ ...event, atMs })
    if (!this.#isDeciding) this.#readInbox()
  }

  #readInbox(): void {
    for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift()) {
      const current = next
      const state = this.#state
      if (state !== null) this.#decide(() => decideRealtimeConversation(state, current))
    }
  }

  /** A fault of ours ends the call, and what was recorded of it so far is reported. */
  #decide(decide: () => RealtimeStep): void {
    if (this.#isOver) return
    this.#isDeciding = true
    try {
      const { state, commands } = decide()
      this.#state = state
      for (const command of commands) this.#perform(command)
    } catch (error) {
      this.#ports.logger.error('the conversation failed', { error })
      this.#hangUp()
      this.#finish('system', null)
    } finally {
      this.#isDeciding = false
    }
  }

  #perform(command: RealtimeCommand): void {
    switch (command.type) {
      case 'queueUtterance':
        return this.#input.media.perform({
          type: 'queueSpeech',
          speechId: command.utterance,
          text: '',
        })
      case 'letModelListen':
        this.#isModelListening = true
        return
      case 'haveModelRespond':
        return this.#model.respond(command.instructions)
      case 'tellModelSaid':
        return this.#model.remember({ role: 'assistant', content: command.text })
      case 'answerModelTool':
        return this.#model.answerTool(command.callId, command.output)
      case 'cutModel':
        return this.#model.cut(command.utterance, command.heardMs)
      case 'callTool':
        return this.#tools.callTool(command)
      case 'speak':
        return this.#speaking.say({ ...command, turn: 0 })
      case 'flushPlayout':
        return this.#speaking.flush()
      case 'setTimer':
        return this.#setTimer(command.name, command.inMs)
      case 'clearTimer':
        return this.#clearTimer(command.name)
      case 'appendTranscript':
        this.#transcript.push(command.entry)
        this.#observe(command.entry)
        return this.#input.onTranscript(command.entry)
      case 'emitSpeechEvent':
        this.#speechEvents.push({ id: this.#ports.ids.next('sp'), ...command.event })
        return
      case 'setResult':
        this.#result = command.result
        return
      case 'hangUp':
        return this.#hangUp()
      case 'finish':
        return this.#finish(command.endedBy, command.endReason)
    }
  }

  /** For whoever watches the call live. */
  #observe({ role, content, toolName = '' }: TranscriptEntry): void {
    const atMs = this.#now()
    if (role === 'tool') this.#input.observer?.({ atMs, kind: 'tool', name: toolName })
    else this.#input.observer?.({ atMs, kind: role === 'user' ? 'heard' : 'said', text: content })
  }

  #setTimer(name: TimerName, inMs: number): void {
    this.#clearTimer(name)
    const cancel = this.#ports.timers.after(inMs, () => {
      // What the callee did before this moment comes first, however busy this thread was.
      this.#input.media.catchUp()
      if (this.#timers.get(name) !== cancel) return
      this.#timers.delete(name)
      this.#emit({ type: 'timerFired', name })
    })
    this.#timers.set(name, cancel)
  }

  #clearTimer(name: TimerName): void {
    this.#timers.get(name)?.()
    this.#timers.delete(name)
  }

  #hangUp(): void {
    this.#input.onHangUp?.()
    this.#input.media.perform({ type: 'close' })
  }

  #finish(endedBy: EndedBy, endReason: EndReason | null): void {
    if (this.#isOver) return
    this.#isOver = true
    const durationMs = this.#now()
    this.#input.observer?.({ atMs: durationMs, kind: 'ended', endedBy, endReason })
    for (const name of this.#timers.keys()) this.#clearTimer(name)
    this.#tools.close()
    this.#speaking.close()
    this.#model.close()
    this.#input.media.perform({ type: 'close' })
    void this.#report(endedBy, endReason, durationMs)
  }

  async #report(endedBy: EndedBy, endReason: EndReason | null, durationMs: number): Promise<void> {
    const recording = await this.#input.media.end(durationMs)
    this.#resolve({
      result: this.#result ?? 'unknown',
      endedBy,
      endReason,
      durationMs,
      transcript: this.#transcript,
      speechEvents: this.#speechEvents,
      recording,
      eventLog: [],
    })
  }
}
