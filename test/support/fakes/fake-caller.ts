import { EnergyVad } from '#shared/audio/energy-vad.ts'
import { FRAME_MS, Reframer } from '#shared/audio/frame.ts'
import { decodeMulaw } from '#shared/audio/mulaw.ts'

import type { FakeEars } from './fake-ears.ts'

/** What a fake speech-to-speech model notices of its caller; ms of audio since the start. */
export type CallerEvent =
  | { readonly type: 'started'; readonly atMs: number }
  | { readonly type: 'interim'; readonly text: string }
  /** A turn is over. */
  | { readonly type: 'said'; readonly text: string; readonly atMs: number }

/** So many frames of sound are speech. */
const ONSET_FRAMES = 4

/** One caller of a fake model: mu-law in, turns out. */
export class FakeCaller {
  readonly #ears: FakeEars
  readonly #vad = new EnergyVad()
  readonly #reframer = new Reframer()
  #frames = 0
  #onset = 0
  #isSpeaking = false
  #text: string[] = []
  #endMs = 0

  constructor(ears: FakeEars) {
    this.#ears = ears
  }

  hear(audio: Uint8Array): CallerEvent[] {
    return this.#reframer.push(audio).flatMap((frame) => this.#hearFrame(frame))
  }

  #hearFrame(frame: Uint8Array): CallerEvent[] {
    this.#frames += 1
    const isSound = this.#vad.push(decodeMulaw(frame)) > 0.5
    this.#onset = isSound ? this.#onset + 1 : 0
    const events: CallerEvent[] = []
    if (!this.#isSpeaking && this.#onset >= ONSET_FRAMES) {
      this.#isSpeaking = true
      events.push({ type: 'started', atMs: (this.#frames - ONSET_FRAMES) * FRAME_MS })
    }
    for (const event of this.#ears.push(frame)) {
      if (event.type === 'interim') events.push(event)
      else if (event.type === 'final') {
        this.#text.push(event.text)
        this.#endMs = event.endMs
      } else {
        this.#isSpeaking = false
        events.push({ type: 'said', text: this.#text.splice(0).join(' '), atMs: this.#endMs })
      }
    }
    return events
  }
}

/** Why a fake model answers. */
export interface BrainInput {
  readonly heard: string | null
  /** What the client asked it to say something about. */
  readonly instructions: string | null
  readonly toolOutputs: readonly string[]
}

export interface BrainOutput {
  readonly say?: string
  /** Called together, after what is said. */
  readonly tools?: readonly {
    readonly name: string
    readonly arguments: Readonly<Record<string, unknown>>
  }[]
}

/** What a fake model answers: the same for the same input. */
export type FakeBrain = (input: BrainInput) => BrainOutput

/** Says what it is told to say, and repeats what it hears. */
export const parrot: FakeBrain = ({ heard, instructions, toolOutputs }) => {
  if (toolOutputs.length > 0) return { say: `The tool says ${toolOutputs.join(' and ')}` }
  if (instructions !== null) return { say: instructions.replace(/^Say: /, '') }
  return { say: `You said ${heard}` }
}
