import type { SpokenWord } from '#shared/audio/word-times.ts'

import { EMPTY_PLAYOUT, stepPlayout } from '../media/playout-clock.ts'
import type { PlayoutAction, PlayoutInput, PlayoutState } from '../media/playout-clock.ts'
import type { UntimedMediaEvent } from './call-media.ts'
import type { MediaChannel } from './media-channel.ts'
import type { Ticker } from './ticker.ts'

export interface PlayoutDeps {
  readonly channel: MediaChannel
  readonly ticker: Ticker
  /** Ms of the session. */
  readonly now: () => number
  readonly onEvent: (event: UntimedMediaEvent) => void
  /** The callee hears this audio from `atMs` on. */
  readonly onAudio: (audio: Uint8Array, atMs: number) => void
  /** Of all audio that was sent, the callee heard nothing later than this. */
  readonly onCut: (atMs: number) => void
}

/** The agent's mouth: moves bytes as `playout-clock.ts` says. Takes part in the ticks only while it has something to say. */
export class Playout {
  readonly #deps: PlayoutDeps
  readonly #audio = new Map<string, SpeechAudio>()
  #state: PlayoutState = EMPTY_PLAYOUT
  #leaveTicker: (() => void) | null = null

  constructor(deps: PlayoutDeps) {
    this.#deps = deps
  }

  /** Its audio follows, and is played after everything queued before. */
  queue(speechId: string, text: string): void {
    this.#audio.set(speechId, new SpeechAudio())
    this.#step({ type: 'queued', speechId, text })
  }

  /** Nothing of a speech that was flushed is wanted. */
  receive(speechId: string, chunk: { audio: Uint8Array; words: readonly SpokenWord[] }): void {
    const audio = this.#audio.get(speechId)
    if (audio === undefined) return
    audio.append(chunk.audio)
    this.#step({ type: 'received', speechId, bytes: chunk.audio.length, words: chunk.words })
  }

  /** No more audio of this speech will come. */
  complete(speechId: string): void {
    this.#step({ type: 'completed', speechId })
  }

  /** The carrier says that everything up to this mark was heard. */
  echo(mark: string): void {
    this.#step({ type: 'echoed', mark })
  }

  /** Whether what is queued waits; a flush lets go. */
  hold(isHeld: boolean): void {
    this.#step({ type: 'held', isHeld })
  }

  /** Silence, now: drops what plays and what waits. */
  flush(): void {
    this.#step({ type: 'flushed' })
  }

  #step(input: PlayoutInput): void {
    const { state, actions } = stepPlayout(this.#state, input, this.#deps.now())
    this.#state = state
    for (const action of actions) this.#perform(action)
    // Read again: performing the actions may have led to further steps.
    const queued = new Set(this.#state.speeches.map((speech) => speech.speechId))
    for (const speechId of this.#audio.keys()) {
      if (!queued.has(speechId)) this.#audio.delete(speechId)
    }
    this.#tickWhile(queued.size > 0)
  }

  #perform(action: PlayoutAction): void {
    const { channel, onAudio, onCut, onEvent } = this.#deps
    switch (action.type) {
      case 'send': {
        const audio = this.#audio.get(action.speechId)?.slice(action.fromByte, action.toByte)
        if (audio === undefined) return
        channel.sendAudio(audio)
        channel.sendMark(action.mark)
        return onAudio(audio, action.playsAtMs)
      }
      case 'clear':
        channel.sendClear()
        return onCut(action.heardUntilMs)
      case 'started':
        return onEvent({ type: 'playoutStarted', speechId: action.speechId })
      case 'done':
        return onEvent({ type: 'playoutDone', speechId: action.speechId })
      case 'cut':
        return onEvent({ ...action, type: 'playoutFlushed' })
    }
  }

  #tickWhile(isBusy: boolean): void {
    if (isBusy) {
      this.#leaveTicker ??= this.#deps.ticker.join(() => this.#step({ type: 'ticked' }))
    } else {
      this.#leaveTicker?.()
      this.#leaveTicker = null
    }
  }
}

/** The audio of one speech while it grows. */
class SpeechAudio {
  #bytes = new Uint8Array(16_000)
  length = 0

  append(more: Uint8Array): void {
    if (this.length + more.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (this.length + more.length))
      larger.set(this.#bytes.subarray(0, this.length))
      this.#bytes = larger
    }
    this.#bytes.set(more, this.length)
    this.length += more.length
  }

  slice(from: number, to: number): Uint8Array {
    return this.#bytes.slice(from, to)
  }
}
