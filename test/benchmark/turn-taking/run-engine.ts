/** One situation, played against the conversation in virtual time. */

import type { ConversationCommand } from '#voice/engine/conversation-command.ts'
import type { ConversationEvent } from '#voice/engine/conversation-event.ts'
import { decideConversation, startConversation } from '#voice/engine/conversation.ts'
import type { ConversationState } from '#voice/engine/conversation.ts'
import { DEFAULT_TIMING } from '#voice/engine/settings.ts'
import { HEARD_TIMERS } from '#voice/engine/timers.ts'
import { advanceSegmenter, SILENT, VAD_WINDOW_MS } from '#voice/media/speech-segmenter.ts'

import { isOverlap, probabilityOf } from './corpus.ts'
import type { Situation } from './corpus.ts'
import { Random } from './random.ts'
import { RecogniserModel } from './recogniser-model.ts'

/** How long model and voice take; at 0, what is heard is what was decided. */
export interface VendorDelays {
  readonly modelMs: number
  readonly voiceMs: number
}

/** Ms from the start of the situation. */
export interface Outcome {
  /** When an answer became audible... */
  readonly answersAtMs: readonly number[]
  /** ...and when the agent was silenced. */
  readonly stopsAtMs: readonly number[]
  /** How often the model was asked. */
  readonly requests: number
  /** What the agent was saying was gone on with. */
  readonly isResumed: boolean
}

const CHAR_MS = 55
/** From the end of the agent's line to the callee's. */
const REACTION_MS = 500
/** The callee speaks up so long after the agent began. */
const OVERLAP_AFTER_MS = 1_500
/** What is waited for afterwards. */
const AFTERMATH_MS = 4_000
/** The detector hears each window a little later than it was said: batches and messages. */
const DETECTION_LAG_MS = 20

export function runEngine(
  situation: Situation,
  options: {
    readonly seed: number
    readonly delays: VendorDelays
    /** What was learned of the caller before. */
    readonly endpointing: ConversationState['endpointing'] | null
  },
): { readonly outcome: Outcome; readonly endpointing: ConversationState['endpointing'] } {
  const stage = new EngineStage(situation, options)
  return { outcome: stage.run(), endpointing: stage.endpointing }
}

type EventWithoutTime = ConversationEvent extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'atMs'>
    : never
  : never

interface Plan {
  readonly atMs: number
  readonly order: number
  readonly run: () => void
}

interface Speech {
  readonly id: string
  readonly text: string
  isReady: boolean
  startedAtMs: number | null
}

class EngineStage {
  readonly #situation: Situation
  readonly #delays: VendorDelays
  readonly #recogniser: RecogniserModel
  #state: ConversationState
  #atMs = 0
  #order = 0
  #plans: Plan[] = []
  #timers = new Map<string, number>()
  #alarms = new Map<string, number>()
  #cancelled = new Set<string>()
  #speeches: Speech[] = []
  #isHeld = false
  #zeroMs: number | null = null
  #answersAtMs: number[] = []
  #stopsAtMs: number[] = []
  #requests = 0
  #cutText = ''
  #isResumed = false

  constructor(
    situation: Situation,
    options: {
      seed: number
      delays: VendorDelays
      endpointing: ConversationState['endpointing'] | null
    },
  ) {
    this.#situation = situation
    this.#delays = options.delays
    this.#recogniser = new RecogniserModel(situation.pieces, new Random(options.seed))
    const first = startConversation(
      {
        direction: 'inbound',
        language: 'en',
        prompt: 'You are Ava.',
        firstSentence: situation.agent,
        firstSentenceMode: 'static',
        firstSentenceDelayMs: 0,
        endOfCallSentence: null,
        maxCallDurationMs: 600_000,
        maxDurationEndMessage: null,
        voicemailMessage: null,
        ivrNavigationEnabled: false,
        realtimeModel: null,
        isThinkingHeard: false,
        tools: [],
        cancellableTools: [],
        timing: DEFAULT_TIMING,
      },
      0,
    )
    // The call has gone on for a while.
    this.#state = {
      ...first.state,
      endpointing: options.endpointing ?? first.state.endpointing,
      hearing: { ...first.state.hearing, isUnderstood: true },
    }
    for (const command of first.commands) this.#perform(command)
  }

  get endpointing(): ConversationState['endpointing'] {
    return this.#state.endpointing
  }

  run(): Outcome {
    for (;;) {
      this.#plans.sort((one, other) => one.atMs - other.atMs || one.order - other.order)
      const next = this.#plans.shift()
      const endMs = (this.#zeroMs ?? Infinity) + this.#situation.endMs + AFTERMATH_MS
      if (next === undefined || next.atMs > endMs) break
      this.#atMs = next.atMs
      next.run()
    }
    return {
      answersAtMs: this.#answersAtMs,
      stopsAtMs: this.#stopsAtMs,
      requests: this.#requests,
      isResumed: this.#isResumed,
    }
  }

  #at(atMs: number, run: () => void): void {
    this.#order += 1
    this.#plans.push({ atMs: Math.max(atMs, this.#atMs), order: this.#order, run })
  }

  #tell(event: EventWithoutTime): void {
    const timed: ConversationEvent = { ...event, atMs: Math.round(this.#atMs) }
    const { state, commands } = decideConversation(this.#state, timed)
    this.#state = state
    for (const command of commands) this.#perform(command)
  }

  /** The callee begins; all of it is played to the end, whatever the agent does. */
  #begin(): void {
    const zeroMs = this.#atMs
    this.#zeroMs = zeroMs
    let segmenter = SILENT
    for (const [index, letter] of this.#situation.detected.split('').entries()) {
      const windowEndMs = (index + 1) * VAD_WINDOW_MS
      this.#at(zeroMs + windowEndMs + DETECTION_LAG_MS, () => {
        const atMs = zeroMs + windowEndMs
        const step = advanceSegmenter(segmenter, { probability: probabilityOf(letter), atMs })
        segmenter = step.state
        if (step.change !== null) this.#tell(step.change)
        for (const [name, dueAtMs] of this.#alarms) {
          if (dueAtMs > atMs) continue
          this.#alarms.delete(name)
          this.#tell({ type: 'timerFired', name: name as 'interruption' })
        }
      })
    }
    for (const { atMs, what } of this.#recogniser.schedule()) {
      this.#at(zeroMs + atMs, () => (what === 'guess' ? this.#guess() : this.#recognise(true)))
    }
  }

  #guess(): void {
    const text = this.#recogniser.guess(this.#atMs - (this.#zeroMs ?? 0))
    if (text !== '') this.#tell({ type: 'interimTranscript', text })
  }

  #recognise(isEndOfTurn: boolean, untilMs = this.#atMs): void {
    const zeroMs = this.#zeroMs ?? 0
    const final = this.#recogniser.report(untilMs - zeroMs)
    if (final !== null) {
      const { text, startMs, endMs } = final
      const times = { startedAtMs: zeroMs + startMs, endedAtMs: zeroMs + endMs }
      this.#tell({ type: 'finalTranscript', text, ...times })
    }
    if (isEndOfTurn) this.#tell({ type: 'endOfTurnHint' })
  }

  #perform(command: ConversationCommand): void {
    switch (command.type) {
      case 'startLlm':
        return this.#answer(command.requestId)
      case 'cancelLlm':
        return void this.#cancelled.add(command.requestId)
      case 'finalizeTranscript': {
        const untilMs = this.#atMs
        return this.#at(untilMs + this.#recogniser.finalizeMs(), () =>
          this.#recognise(false, untilMs),
        )
      }
      case 'speak':
        return this.#speak(command.speechId, command.text)
      case 'holdPlayout':
        this.#isHeld = command.isHeld
        return this.#play()
      case 'flushPlayout':
        return this.#flush()
      case 'setTimer':
        return this.#setTimer(command.name, command.inMs)
      case 'clearTimer':
        this.#timers.delete(command.name)
        return void this.#alarms.delete(command.name)
      default:
    }
  }

  #setTimer(
    name: ConversationEvent extends infer Each
      ? Each extends { type: 'timerFired'; name: infer Name }
        ? Name
        : never
      : never,
    inMs: number,
  ): void {
    const dueAtMs = this.#atMs + inMs
    if (HEARD_TIMERS.has(name)) return void this.#alarms.set(name, dueAtMs)
    this.#timers.set(name, dueAtMs)
    this.#at(dueAtMs, () => {
      if (this.#timers.get(name) !== dueAtMs) return
      this.#timers.delete(name)
      this.#tell({ type: 'timerFired', name })
    })
  }

  #answer(requestId: string): void {
    this.#requests += 1
    this.#at(this.#atMs + this.#delays.modelMs, () => {
      if (this.#cancelled.has(requestId)) return
      this.#tell({ type: 'llmText', requestId, text: 'All right, I have noted that. ', model: 'm' })
      this.#tell({ type: 'llmDone', requestId })
    })
  }

  #speak(id: string, text: string): void {
    const speech: Speech = { id, text, isReady: false, startedAtMs: null }
    if (this.#cutText !== '' && this.#cutText.endsWith(text.slice(-20))) this.#isResumed = true
    this.#speeches.push(speech)
    this.#at(this.#atMs + this.#delays.voiceMs, () => {
      if (!this.#speeches.includes(speech)) return
      speech.isReady = true
      this.#tell({ type: 'speechReady', speechId: id, ttfbMs: this.#delays.voiceMs })
      this.#play()
    })
  }

  #play(): void {
    const speech = this.#speeches[0]
    if (this.#isHeld || speech === undefined || !speech.isReady || speech.startedAtMs !== null)
      return
    speech.startedAtMs = this.#atMs
    if (this.#zeroMs === null && isOverlap(this.#situation)) {
      this.#at(this.#atMs + OVERLAP_AFTER_MS, () => this.#begin())
    } else if (this.#zeroMs !== null) {
      this.#answersAtMs.push(this.#atMs - this.#zeroMs)
    }
    this.#tell({ type: 'playoutStarted', speechId: speech.id })
    this.#at(this.#atMs + speech.text.length * CHAR_MS, () => this.#finish(speech))
  }

  #finish(speech: Speech): void {
    if (this.#speeches[0] !== speech) return
    this.#speeches.shift()
    this.#tell({ type: 'playoutDone', speechId: speech.id })
    if (this.#zeroMs === null && !isOverlap(this.#situation)) {
      this.#at(this.#atMs + REACTION_MS, () => this.#begin())
    }
    this.#play()
  }

  #flush(): void {
    const [playing] = this.#speeches
    this.#speeches = []
    this.#isHeld = false
    if (playing === undefined || playing.startedAtMs === null) return
    if (this.#zeroMs !== null) this.#stopsAtMs.push(this.#atMs - this.#zeroMs)
    this.#cutText = playing.text
    const heard = Math.floor((this.#atMs - playing.startedAtMs) / CHAR_MS)
    const heardText = playing.text.slice(0, heard).replace(/\s*\S*$/, '')
    this.#at(this.#atMs, () =>
      this.#tell({ type: 'playoutFlushed', speechId: playing.id, heardText }),
    )
  }
}
