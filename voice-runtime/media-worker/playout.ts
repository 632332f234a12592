import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { MULAW_SILENCE } from '#shared/audio/mulaw.ts'
import type { SpokenWord } from '#shared/audio/word-times.ts'

import { EMPTY_PLAYOUT, stepPlayout } from '../media/playout-clock.ts'
import type { PlayoutAction, PlayoutInput, PlayoutState } from '../media/playout-clock.ts'
import { SoundBed } from '../media/sound-bed.ts'
import type { SoundLayer } from '../media/sound-bed.ts'
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
  readonly #bed = new SoundBed()
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

  /** A sound under the voice and between its words, looped; null ends it. */
  setSound(layer: SoundLayer, samples: Int16Array | null, volume: number): void {
    this.#bed.set(layer, samples, volume)
    this.#step({ type: 'filled', isFilled: !this.#bed.isSilent })
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
    if (this.#state.isFilled && this.#bed.isSilent) {
      return this.#step({ type: 'filled', isFilled: false })
    }
    this.#tickWhile(queued.size > 0 || this.#state.isFilled)
  }

  #perform(action: PlayoutAction): void {
    const { channel, onCut, onEvent } = this.#deps
    switch (action.type) {
      case 'send': {
        const audio = this.#audio.get(action.speechId)?.slice(action.fromByte, action.toByte)
        if (audio === undefined) return
        this.#play(audio, action.playsAtMs)
        return channel.sendMark(action.mark)
      }
      case 'fill': {
        const silence = new Uint8Array(action.lengthMs * SAMPLES_PER_MS).fill(MULAW_SILENCE)
        return this.#play(silence, action.playsAtMs)
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

  #play(voice: Uint8Array, atMs: number): void {
    const audio = this.#bed.mix(voice, atMs)
    this.#deps.channel.sendAudio(audio)
    this.#deps.onAudio(audio, atMs)
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
