import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { AttemptResult, EndedBy, EndReason } from '#shared/domain/call-attempt/attempt.ts'
import { DEFAULT_LLM_MODEL } from '#shared/domain/llm-model.ts'
import { deriveSttContext, mergeSttContext } from '#shared/domain/stt-context.ts'
import type { SpeechEvent, TranscriptEntry } from '#shared/domain/transcript.ts'
import type { Clock, Timers } from '#shared/ports/clock.ts'
import type { Ids } from '#shared/ports/ids.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { RealtimeModel } from '#shared/ports/realtime-model.ts'
import type { SpeechToText } from '#shared/ports/speech-to-text.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

import type { ConversationCommand } from '../engine/conversation-command.ts'
import type { ConversationEvent, TimerName } from '../engine/conversation-event.ts'
import type { ConversationState, Step } from '../engine/conversation-state.ts'
import { decideConversation, startConversation } from '../engine/conversation.ts'
import type { ConversationSettings } from '../engine/settings.ts'
import { HEARD_TIMERS } from '../engine/timers.ts'
import { canBeMachine } from '../engine/verdict.ts'
import type { CallMedia, MediaCommand, MediaEvent } from '../media-worker/call-media.ts'
import type { RecordedCall } from '../media-worker/recorded-call.ts'
import { dtmfTones } from '../media/dtmf.ts'
import type { CallHistory } from './call-history.ts'
import { HistoryRecorder } from './call-history.ts'
import { CallSounds } from './call-sounds.ts'
import type { EventWithoutTime } from './event-without-time.ts'
import { fixedTextsOf, soonSaid } from './fixed-texts.ts'
import { RealtimeVoice } from './realtime-voice.ts'
import { Recogniser } from './recogniser.ts'
import { SessionObserver } from './session-observation.ts'
import type { SessionObservation } from './session-observation.ts'
import { Speaking } from './speaking.ts'
import { Thinking } from './thinking.ts'
import type { ToolCaller } from './thinking.ts'

export interface CallSessionPorts {
  readonly speechToText: SpeechToText
  readonly textToSpeech: TextToSpeech
  readonly languageModel: LanguageModel
  /** For assistants whose model hears and speaks itself. */
  readonly realtimeModel: RealtimeModel
  readonly tools: ToolCaller
  readonly timers: Timers
  /** The media clock: passes as evenly as audio does, and never jumps. */
  readonly clock: Clock
  readonly logger: Logger
  readonly ids: Ids
}

export interface CallSessionInput {
  readonly settings: ConversationSettings
  readonly assistant: AssistantSettings
  readonly media: CallMedia
  readonly onTranscript: (entry: TranscriptEntry) => void
  /** Ends the call at the carrier; the media is closed right after. */
  readonly onHangUp?: () => void
  /** The person has asked never to be called again. */
  readonly onOptOut?: () => void
  /** Everything that the conversation was told and what it decided; for recordings of behaviour. */
  readonly onEvent?: (event: ConversationEvent, commands: readonly ConversationCommand[]) => void
  /** For whoever watches the call live. */
  readonly observer?: (observation: SessionObservation) => void
}

export interface SessionReport {
  readonly result: AttemptResult
  readonly endedBy: EndedBy
  readonly endReason: EndReason | null
  readonly durationMs: number
  readonly transcript: readonly TranscriptEntry[]
  readonly speechEvents: readonly SpeechEvent[]
  /** As long as the session was, its file to be closed; null when it was lost. */
  readonly recording: RecordedCall | null
  readonly history: CallHistory
}

/** A running session. */
export interface CallSession {
  /** Never rejects. */
  readonly report: Promise<SessionReport>
  /** Asks the conversation to end now. */
  requestEnd(endReason: 'client_initiated' | 'participant_removed'): void
  /** Ends it without a word: the call belongs to somebody else. */
  abandon(): void
}

/** Holds one conversation from the start of its media to its end. */
export function runCallSession(
  ports: CallSessionPorts,
  input: CallSessionInput,
): Promise<SessionReport> {
  return startCallSession(ports, input).report
}

/** The same, for those who may have to end it from outside. */
export function startCallSession(ports: CallSessionPorts, input: CallSessionInput): CallSession {
  const session = new LiveSession(ports, input)
  session.start()
  return session
}

/** Feeds the conversation with all that happens, in order, and performs what it decides. */
class LiveSession implements CallSession {
  readonly report: Promise<SessionReport>
  readonly #resolve: (report: SessionReport) => void
  readonly #ports: CallSessionPorts
  readonly #input: CallSessionInput
  readonly #recogniser: Recogniser
  readonly #speaking: Speaking
  readonly #thinking: Thinking
  /** A model that hears and speaks itself. */
  readonly #model: RealtimeVoice | null
  readonly #sounds: CallSounds
  readonly #observer: SessionObserver | null
  readonly #timers = new Map<TimerName, () => void>()
  readonly #inbox: ConversationEvent[] = []
  readonly #transcript: TranscriptEntry[] = []
  readonly #speechEvents: SpeechEvent[] = []
  readonly #history: HistoryRecorder
  #state: ConversationState | null = null
  #result: AttemptResult | null = null
  #isDeciding = false
  #isListeningForTones = false
  #isHungUp = false
  #isOver = false

  constructor(ports: CallSessionPorts, input: CallSessionInput) {
    this.#ports = ports
    this.#input = input
    const { promise, resolve } = Promise.withResolvers<SessionReport>()
    this.report = promise
    this.#resolve = resolve
    this.#history = new HistoryRecorder(input.settings)
    this.#observer = input.observer === undefined ? null : new SessionObserver(input.observer)
    const shared = {
      ...ports,
      assistant: input.assistant,
      reference: ports.ids.next('ses'),
      now: () => this.#now(),
      emit: (event: EventWithoutTime, atMs?: number) => this.#emit(event, atMs),
    }
    const perform = (command: MediaCommand) => input.media.perform(command)
    const derived = deriveSttContext(input.settings.prompt)
    this.#recogniser = new Recogniser({
      ...shared,
      assistant: {
        ...input.assistant,
        sttContext: mergeSttContext(input.assistant.sttContext, derived),
      },
    })
    this.#speaking = new Speaking({
      ...shared,
      fixedTexts: fixedTextsOf(input.settings),
      perform,
    })
    const { assistant, media, settings } = input
    const { llmModel: model } = assistant
    const isRealtime = model.type === 'realtime'
    // What stands before the person is dealt with in writing.
    this.#thinking = new Thinking({ ...shared, model: isRealtime ? DEFAULT_LLM_MODEL : model })
    this.#model = isRealtime ? new RealtimeVoice({ ...shared, model, settings, perform }) : null
    this.#sounds = new CallSounds({ assistant, media, random: () => ports.ids.random() })
  }

  start(): void {
    this.#sounds.start()
    this.#decide(() => startConversation(this.#input.settings, this.#now()))
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
    if (this.#isOver) return
    switch (event.type) {
      case 'audio':
        if (this.#model?.isListening === true) return this.#model.write(event.audio)
        return this.#recogniser.write(event.audio, event.fromMs)
      case 'playoutFlushed': {
        const saidMs = this.#model?.saidMs(event.speechId)
        return this.#speaking.hear(saidMs === undefined ? event : { ...event, saidMs })
      }
      case 'playoutStarted':
      case 'playoutDone':
        return this.#speaking.hear(event)
      case 'speechStarted':
      case 'speechEnded':
        this.#model?.notice(event)
        return this.#emit(event, event.atMs)
      case 'alarmRang':
        return this.#emit({ type: 'timerFired', name: event.name as TimerName }, event.atMs)
      case 'stopped':
        this.#isHungUp = true
        return this.#emit({ type: 'calleeHungUp' }, event.atMs)
      default:
        return this.#emit(event, event.atMs)
    }
  }

  /** Events that arise while one is being decided wait for their turn. */
  #emit(event: EventWithoutTime, atMs = this.#now()): void {
    if (this.#isOver) return
    this.#inbox.push({ ...event, atMs })
    if (!this.#isDeciding) this.#readInbox()
  }

  #readInbox(): void {
    for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift()) {
      const current = next
      const state = this.#state
      if (state !== null) this.#decide(() => decideConversation(state, current), current)
    }
    // The callee is gone: whatever the conversation still waits for will not come.
    if (this.#isHungUp) this.#finish('user', null)
  }

  /** A fault of ours ends the call, and what was recorded of it so far is reported. */
  #decide(decide: () => Step, event?: ConversationEvent): void {
    if (this.#isOver) return
    this.#isDeciding = true
    try {
      const { state, commands } = decide()
      this.#state = state
      if (event === undefined) this.#history.start(state.atMs, commands)
      else this.#note(event, commands)
      for (const command of commands) this.#perform(command)
      this.#listenForTones(canBeMachine(state))
      const soon = soonSaid(state)
      if (soon !== null) this.#speaking.prepare(soon)
    } catch (error) {
      this.#ports.logger.error('the conversation failed', { error, event: event?.type })
      this.#hangUp()
      this.#finish('system', null)
    } finally {
      this.#isDeciding = false
    }
  }

  #note(event: ConversationEvent, commands: readonly ConversationCommand[]): void {
    this.#history.note(event, commands)
    this.#observer?.event(event)
    this.#input.onEvent?.(event, commands)
  }

  #perform(command: ConversationCommand): void {
    this.#observer?.command(command, this.#now())
    switch (command.type) {
      case 'startLlm':
        return this.#thinking.start(command)
      case 'cancelLlm':
        return this.#thinking.cancel(command.requestId)
      case 'callTool':
        return this.#thinking.callTool(command)
      case 'finalizeTranscript':
        return this.#recogniser.finalize()
      case 'cancelTool':
        return this.#thinking.cancelTool(command.callId)
      case 'speak':
        return this.#speaking.say(command)
      case 'holdPlayout':
        return this.#input.media.perform({ type: 'hold', isHeld: command.isHeld })
      case 'setThinking':
        return this.#sounds.think(command.turn)
      case 'flushPlayout':
        return this.#speaking.flush()
      case 'letModelListen':
        this.#model?.perform(command)
        return this.#handOver(command.hearFromMs)
      case 'haveModelSpeak':
      case 'answerModelTool':
      case 'cutModel':
      case 'queueUtterance':
        return this.#model?.perform(command)
      case 'sendDtmf':
        return this.#speaking.play(dtmfTones(command.digits))
      case 'setTimer':
        return this.#setTimer(command.name, command.inMs)
      case 'clearTimer':
        return this.#clearTimer(command.name)
      case 'appendTranscript':
        this.#transcript.push(command.entry)
        return this.#input.onTranscript(command.entry)
      case 'emitSpeechEvent':
        this.#speechEvents.push({ id: this.#ports.ids.next('sp'), ...command.event })
        return
      case 'setResult':
        this.#result = command.result
        return
      case 'noteOptOut':
        return this.#input.onOptOut?.()
      case 'hangUp':
        return this.#hangUp()
      case 'finish':
        return this.#finish(command.endedBy, command.endReason)
    }
  }

  /** From now on the model hears instead of the recogniser. */
  #handOver(fromMs: number | null): void {
    const open = fromMs === null ? [] : this.#recogniser.unrecognisedFrom(fromMs)
    for (const audio of open) this.#model?.write(audio)
    this.#recogniser.close()
  }

  #setTimer(name: TimerName, inMs: number): void {
    this.#clearTimer(name)
    if (HEARD_TIMERS.has(name)) {
      const atMs = this.#state?.timers[name] ?? this.#now() + inMs
      return this.#input.media.perform({ type: 'setAlarm', name, atMs })
    }
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
    if (HEARD_TIMERS.has(name)) this.#input.media.perform({ type: 'clearAlarm', name })
    this.#timers.get(name)?.()
    this.#timers.delete(name)
  }

  #listenForTones(isWanted: boolean): void {
    if (isWanted === this.#isListeningForTones) return
    this.#isListeningForTones = isWanted
    this.#input.media.perform({ type: 'listenForTones', isWanted })
  }

  #hangUp(): void {
    this.#input.onHangUp?.()
    this.#input.media.perform({ type: 'close' })
  }

  #finish(endedBy: EndedBy, endReason: EndReason | null): void {
    if (this.#isOver) return
    this.#isOver = true
    const durationMs = this.#now()
    for (const name of this.#timers.keys()) this.#clearTimer(name)
    this.#thinking.close()
    this.#speaking.close()
    this.#recogniser.close()
    this.#model?.close()
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
      history: this.#history.history(),
    })
  }
}
