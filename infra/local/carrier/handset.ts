import { CALLEE_CLIPS, type CalleeClipId } from '#shared/audio/clips/callee-clips.ts'
import { FRAME_BYTES, FRAME_MS, SILENT_FRAME } from '#shared/audio/frame.ts'
import { DtmfDetector } from '#voice/media/dtmf.ts'

import type { CalleeSound, WordListener } from './callee-sound.ts'
import type { Callee, CalleeAction, CalleeEvent, CalleeTimer } from './callee.ts'
import { detectSpeech, SILENT } from './speech-detector.ts'

/** Nobody stays on the line for longer. */
const LONGEST_CALL_MS = 5 * 60_000

/** What the callee did in 20 ms. */
export interface Moment {
  readonly audio: Uint8Array
  /** Keys pressed. */
  readonly digits: string
  readonly hungUp: boolean
}

type Utterance = { readonly audio: Uint8Array; readonly event: SaidEvent }
type SaidEvent =
  | { readonly type: 'clipFinished'; readonly clip: CalleeClipId }
  | { readonly type: 'beepFinished' }

/**
 * Between the line and a callee: turns what is heard into events, and what the callee wants to do
 * into sound. Its only time is the frames it was given.
 */
export class Handset {
  readonly heard: string[] = []
  readonly said: string[] = []
  /** What the agent has pressed. */
  keys = ''
  readonly #callee: Callee
  readonly #sound: CalleeSound
  readonly #ears: WordListener
  #state: unknown
  #nowMs = 0
  #detector = SILENT
  readonly #keys = new DtmfDetector()
  #timers = new Map<CalleeTimer, number>()
  #utterances: Utterance[] = []
  #position = 0
  #digits = ''
  #hungUp = false

  constructor({ callee, sound }: { callee: Callee; sound: CalleeSound }) {
    this.#callee = callee
    this.#sound = sound
    this.#ears = sound.listen()
    this.#state = callee.initial
    this.#tell({ type: 'answered' })
  }

  /** The next 20 ms of the call: what the callee hears, against what it says meanwhile. */
  exchange(heard: Uint8Array): Moment {
    this.#nowMs += FRAME_MS
    this.#hear(heard)
    this.#fireTimers()
    const audio = this.#speak()
    const digits = this.#digits
    this.#digits = ''
    return { audio, digits, hungUp: this.#hungUp || this.#nowMs >= LONGEST_CALL_MS }
  }

  #hear(frame: Uint8Array): void {
    const { detector, edge } = detectSpeech(this.#detector, frame)
    this.#detector = detector
    if (edge !== null) this.#tell(edge)
    const digit = this.#keys.push(frame)
    if (digit !== null) {
      this.keys += digit
      this.#tell({ type: 'agentKey', digit })
    }
    for (const text of this.#ears.hear(frame)) {
      this.heard.push(text)
      this.#tell({ type: 'agentWords', text })
    }
  }

  #fireTimers(): void {
    for (const [name, at] of [...this.#timers].sort(([, a], [, b]) => a - b)) {
      if (at > this.#nowMs) return
      // An earlier one may have set it anew.
      if (this.#timers.get(name) !== at) continue
      this.#timers.delete(name)
      this.#tell({ type: 'timer', name })
    }
  }

  #speak(): Uint8Array {
    const frame = SILENT_FRAME.slice()
    const utterance = this.#utterances[0]
    if (utterance === undefined) return frame
    frame.set(utterance.audio.subarray(this.#position, this.#position + FRAME_BYTES))
    this.#position += FRAME_BYTES
    if (this.#position >= utterance.audio.length) {
      this.#utterances.shift()
      this.#position = 0
      this.#tell(utterance.event)
    }
    return frame
  }

  #tell(event: Unstamped<CalleeEvent>): void {
    const { state, actions } = this.#callee.react(this.#state, { ...event, atMs: this.#nowMs })
    this.#state = state
    for (const action of actions) this.#perform(action)
  }

  #perform(action: CalleeAction): void {
    switch (action.type) {
      case 'playClip':
        this.said.push(CALLEE_CLIPS[action.clip].text)
        this.#utterances.push({
          audio: this.#sound.clip(action.clip),
          event: { type: 'clipFinished', clip: action.clip },
        })
        return
      case 'playBeep':
        this.#utterances.push({ audio: this.#sound.beep(), event: { type: 'beepFinished' } })
        return
      case 'sendDtmf':
        this.#digits += action.digits
        return
      case 'setTimer':
        this.#timers.set(action.name, this.#nowMs + action.inMs)
        return
      case 'hangUp':
        this.#hungUp = true
    }
  }
}

type Unstamped<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never
