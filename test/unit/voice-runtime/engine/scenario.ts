/**
 * Plays a call against the conversation in virtual time. The model, the voice and the line are played
 * here; a test says what the callee does and reads the dialogue that came of it.
 */

import type { SpeechEvent } from '#shared/domain/transcript.ts'
import type { ConversationCommand } from '#voice/engine/conversation-command.ts'
import type { ConversationEvent } from '#voice/engine/conversation-event.ts'
import type { ConversationState, Step } from '#voice/engine/conversation.ts'
import { decideConversation, startConversation } from '#voice/engine/conversation.ts'

import { testSettings } from './settings.ts'
import type { SettingsChange } from './settings.ts'

/** What the model does at its next request; without a script it says "Okay." */
export interface Answer {
  readonly text?: string
  readonly afterMs?: number
  readonly tools?: readonly { readonly name: string; readonly arguments: string }[]
  /** `fails` after the text; `hangs`: nothing more ever comes. */
  readonly end?: 'fails' | 'hangs'
}

export interface ScenarioOptions {
  readonly settings?: SettingsChange
  readonly answers?: readonly (Answer | string)[]
  readonly toolOutputs?: Readonly<Record<string, string>>
  readonly toolMs?: number
  /** Speeches (by number, from 1) for which the voice fails before any audio. */
  readonly muteSpeeches?: readonly number[]
  /** The voice says nothing at all, not even that it failed. */
  readonly isVoiceDead?: boolean
}

interface Planned {
  readonly atMs: number
  readonly order: number
  readonly run: () => void
  isCancelled: boolean
}

interface Playing {
  readonly id: string
  readonly text: string
  startedAtMs: number | null
  isReady: boolean
}

type EventWithoutTime = ConversationEvent extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'atMs'>
    : never
  : never

/** The voice's first audio, and how fast it speaks. */
const TTFB_MS = 100
export const CHAR_MS = 50
const VAD_START_MS = 100
const VAD_END_MS = 200
const INTERIM_DELAY_MS = 100
const STT_DELAY_MS = 350
const DELTA_MS = 10

export class Scenario {
  readonly commands: ConversationCommand[] = []
  readonly events: ConversationEvent[] = []
  /** What really reached the callee's ear, speech by speech. */
  readonly heard: string[] = []
  state: ConversationState
  #atMs = 0
  #order = 0
  #llmCount = 0
  #speechCount = 0
  #plan: Planned[] = []
  #queue: Playing[] = []
  #isHeld = false
  readonly #timers = new Map<string, Planned>()
  readonly #requests = new Map<string, Planned[]>()
  readonly #options: ScenarioOptions

  constructor(options: ScenarioOptions = {}) {
    this.#options = options
    const first = startConversation(testSettings(options.settings), 0)
    this.state = first.state
    this.#perform(first)
  }

  get atMs(): number {
    return this.#atMs
  }

  /** The callee says this for as long as it takes, or for `forMs`; all of it is played to the end. */
  says(text: string, options: { readonly forMs?: number; readonly isHinted?: boolean } = {}): this {
    const startMs = this.#atMs
    const endMs = startMs + (options.forMs ?? Math.max(400, text.length * CHAR_MS))
    this.#emitAt(startMs + VAD_START_MS, { type: 'speechStarted', startedAtMs: startMs })
    const words = text.split(' ')
    for (let count = 1; count <= words.length; count += 1) {
      const saidMs = startMs + ((endMs - startMs) * count) / words.length
      const interim = words.slice(0, count).join(' ')
      this.#emitAt(saidMs + INTERIM_DELAY_MS, { type: 'interimTranscript', text: interim })
    }
    this.#emitAt(endMs + VAD_END_MS, { type: 'speechEnded', endedAtMs: endMs })
    const final = { type: 'finalTranscript', text, startedAtMs: startMs, endedAtMs: endMs } as const
    this.#emitAt(endMs + STT_DELAY_MS, final)
    if (options.isHinted === true) this.#emitAt(endMs + STT_DELAY_MS, { type: 'endOfTurnHint' })
    return this.waits(endMs - startMs)
  }

  /** A sound that the VAD takes for speech and the recogniser does not understand. */
  makesNoise(forMs: number): this {
    const startMs = this.#atMs
    this.#emitAt(startMs + VAD_START_MS, { type: 'speechStarted', startedAtMs: startMs })
    const endMs = startMs + forMs
    this.#emitAt(endMs + VAD_END_MS, { type: 'speechEnded', endedAtMs: endMs })
    return this.waits(forMs)
  }

  beeps(durationMs = 500): this {
    this.waits(durationMs)
    return this.tells({ type: 'toneEnded', hz: 1_000, durationMs })
  }

  hangsUp(): this {
    this.#flush()
    return this.waits(0).tells({ type: 'calleeHungUp' })
  }

  /** Any event, now. */
  tells(event: EventWithoutTime): this {
    this.#decide(event)
    return this
  }

  waits(ms: number): this {
    const untilMs = this.#atMs + ms
    for (;;) {
      const next = this.#takeNext(untilMs)
      if (next === null) break
      this.#atMs = Math.max(this.#atMs, next.atMs)
      next.run()
    }
    this.#atMs = untilMs
    return this
  }

  /** Until the callee hears the agent. */
  waitsForVoice(): this {
    const isAudible = (): boolean => typeof this.state.agent?.startedAtMs === 'number'
    for (let step = 0; step < 600 && !isAudible(); step += 1) this.waits(20)
    return this
  }

  /** Until the agent has spoken, and has said all it has to say. */
  listens(): this {
    this.waitsForVoice()
    for (let step = 0; step < 600 && this.state.agent !== null; step += 1) this.waits(100)
    return this
  }

  /** `role: text`, tool entries as `tool: name(arguments) -> output`. */
  get dialogue(): readonly string[] {
    return this.all('appendTranscript').map(({ entry }) =>
      entry.role === 'tool'
        ? `tool: ${entry.toolName}(${JSON.stringify(entry.toolArguments)}) -> ${entry.toolOutput}`
        : `${entry.role}: ${entry.content}`,
    )
  }

  get results(): readonly string[] {
    return this.all('setResult').map(({ result }) => result)
  }

  get spoken(): readonly string[] {
    return this.all('speak').map(({ text }) => text)
  }

  get speechEvents(): readonly Omit<SpeechEvent, 'id'>[] {
    return this.all('emitSpeechEvent').map(({ event }) => event)
  }

  /** `by/reason`, or null while the call goes on. */
  get end(): string | null {
    const finish = this.all('finish')[0]
    return finish === undefined ? null : `${finish.endedBy}/${finish.endReason}`
  }

  all<Type extends ConversationCommand['type']>(
    type: Type,
  ): readonly (ConversationCommand & { readonly type: Type })[] {
    return this.commands.filter((each) => each.type === type) as never
  }

  #takeNext(untilMs: number): Planned | null {
    this.#plan = this.#plan.filter((each) => !each.isCancelled)
    this.#plan.sort((a, b) => a.atMs - b.atMs || a.order - b.order)
    const next = this.#plan[0]
    if (next === undefined || next.atMs > untilMs) return null
    this.#plan.shift()
    return next
  }

  #planAt(atMs: number, run: () => void, order: number = (this.#order += 1)): Planned {
    const planned = { atMs, order, run, isCancelled: false }
    this.#plan.push(planned)
    return planned
  }

  #emitAt(atMs: number, event: EventWithoutTime): Planned {
    return this.#planAt(atMs, () => this.#decide(event))
  }

  #decide(event: EventWithoutTime): void {
    const timed = { ...event, atMs: this.#atMs } as ConversationEvent
    this.events.push(timed)
    const step = decideConversation(this.state, timed)
    this.state = step.state
    this.#perform(step)
  }

  #perform({ commands }: Step): void {
    for (const command of commands) {
      this.commands.push(command)
      this.#performOne(command)
    }
  }

  #performOne(command: ConversationCommand): void {
    switch (command.type) {
      case 'startLlm':
        return this.#answer(command.requestId)
      case 'cancelLlm':
        for (const delta of this.#requests.get(command.requestId) ?? []) delta.isCancelled = true
        return
      case 'speak':
        return this.#speak(command.speechId, command.text)
      case 'holdPlayout':
        this.#isHeld = command.isHeld
        return this.#playNext()
      case 'flushPlayout':
        return this.#flush()
      case 'callTool': {
        const output = this.#options.toolOutputs?.[command.name]
        const answer = { output: output ?? 'unknown tool', isError: output === undefined }
        const atMs = this.#atMs + (this.#options.toolMs ?? 500)
        this.#emitAt(atMs, { type: 'toolAnswered', callId: command.callId, ...answer })
        return
      }
      case 'setTimer': {
        const { name } = command
        const old = this.#timers.get(name)
        if (old !== undefined) old.isCancelled = true
        const atMs = this.#atMs + command.inMs
        this.#timers.set(name, this.#emitAt(atMs, { type: 'timerFired', name }))
        return
      }
      case 'clearTimer': {
        const timer = this.#timers.get(command.name)
        if (timer !== undefined) timer.isCancelled = true
        return
      }
      default:
    }
  }

  #answer(requestId: string): void {
    const script = this.#options.answers?.[this.#llmCount] ?? 'Okay.'
    this.#llmCount += 1
    const answer: Answer = typeof script === 'string' ? { text: script } : script
    let atMs = this.#atMs + (answer.afterMs ?? 200)
    const planned: Planned[] = []
    const emit = (event: EventWithoutTime): void => {
      planned.push(this.#emitAt(atMs, event))
      atMs += DELTA_MS
    }
    for (const text of answer.text?.match(/\s*\S+/g) ?? []) {
      emit({ type: 'llmText', requestId, text, model: 'test-model' })
    }
    for (const [index, tool] of (answer.tools ?? []).entries()) {
      emit({ type: 'llmToolCall', requestId, callId: `${requestId}-${index}`, ...tool })
    }
    if (answer.end === 'fails') emit({ type: 'llmFailed', requestId })
    else if (answer.end !== 'hangs') emit({ type: 'llmDone', requestId })
    this.#requests.set(requestId, planned)
  }

  #speak(id: string, text: string): void {
    this.#speechCount += 1
    const number = this.#speechCount
    const speech: Playing = { id, text, startedAtMs: null, isReady: false }
    if (this.#options.isVoiceDead === true) return
    if (this.#options.muteSpeeches?.includes(number) === true) {
      this.#emitAt(this.#atMs + TTFB_MS, { type: 'speechFailed', speechId: id })
      return
    }
    this.#queue.push(speech)
    this.#planAt(this.#atMs + TTFB_MS, () => {
      if (!this.#queue.includes(speech)) return
      speech.isReady = true
      this.#decide({ type: 'speechReady', speechId: id, ttfbMs: TTFB_MS })
      this.#playNext()
    })
  }

  #playNext(): void {
    const speech = this.#queue[0]
    if (this.#isHeld || speech === undefined || speech.startedAtMs !== null) return
    if (!speech.isReady) return
    speech.startedAtMs = this.#atMs
    this.#decide({ type: 'playoutStarted', speechId: speech.id })
    this.#planAt(this.#atMs + speech.text.length * CHAR_MS, () => {
      if (this.#queue[0] !== speech) return
      this.#queue.shift()
      this.heard.push(speech.text)
      this.#decide({ type: 'playoutDone', speechId: speech.id })
      this.#playNext()
    })
  }

  #flush(): void {
    const playing = this.#queue[0]
    this.#queue = []
    this.#isHeld = false
    if (playing === undefined || playing.startedAtMs === null) return
    const chars = Math.floor((this.#atMs - playing.startedAtMs) / CHAR_MS)
    const isWhole = chars >= playing.text.length
    const heardText = isWhole ? playing.text : playing.text.slice(0, chars).replace(/\s*\S*$/, '')
    this.heard.push(heardText)
    const speechId = playing.id
    // The session answers after the command was performed, before anything else happens.
    const event = { type: 'playoutFlushed', speechId, heardText } as const
    this.#planAt(this.#atMs, () => this.#decide(event), 0)
  }
}
