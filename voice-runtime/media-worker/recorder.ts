import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'

import { BLOCK_SAMPLES, SoundTrack } from '../media/sound-track.ts'
import type { TrackPiece } from '../media/sound-track.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { SoundFile } from './sound-file.ts'

/** The agent's audio is sent before it is heard and may be cut: a second of it stays in memory. */
const AGENT_KEPT_SAMPLES = 1_000 * SAMPLES_PER_MS

const SIDES = { callee: 0, agent: 1 } as const
type Side = keyof typeof SIDES

/** Writes both sides of a call into its file as the callee heard them. Frames outside `maxMs` are not recorded. */
export class Recorder {
  readonly #file: SoundFile
  readonly #maxMs: number
  readonly #tracks = {
    callee: new SoundTrack({ keptSamples: 0 }),
    agent: new SoundTrack({ keptSamples: AGENT_KEPT_SAMPLES }),
  }

  constructor(options: { readonly maxMs: number; readonly file: SoundFile }) {
    this.#maxMs = options.maxMs
    this.#file = options.file
  }

  addCallee(audio: Uint8Array, atMs: number): void {
    this.#add('callee', audio, atMs)
  }

  addAgent(audio: Uint8Array, atMs: number): void {
    this.#add('agent', audio, atMs)
  }

  /** The agent was not heard from `atMs` on. */
  cutAgent(atMs: number): void {
    this.#store('agent', this.#tracks.agent.cut(Math.floor(atMs * SAMPLES_PER_MS)))
  }

  /**
   * As long as the call was. Longer when a carrier that had fallen behind played the agent's last words
   * faster than the clock foresaw: they were heard. Rejects when the disk did not take it.
   */
  async end(durationMs: number): Promise<RecordedCall> {
    const { callee, agent } = this.#tracks
    this.#store('callee', callee.rest())
    this.#store('agent', agent.rest())
    const samples = Math.max(callee.length, agent.length, Math.round(durationMs * SAMPLES_PER_MS))
    await this.#file.settled()
    return { file: this.#file, samples }
  }

  #add(side: Side, audio: Uint8Array, atMs: number): void {
    if (atMs < 0 || atMs + audio.length / SAMPLES_PER_MS > this.#maxMs) return
    this.#store(side, this.#tracks[side].write(Math.round(atMs * SAMPLES_PER_MS), audio))
  }

  #store(side: Side, pieces: readonly TrackPiece[]): void {
    for (const { block, offset, bytes } of pieces) {
      this.#file.write(bytes, positionOf(block, side) + offset)
    }
  }
}

/** The file holds a block of the callee, the same block of the agent, the next of the callee, and so on. */
function positionOf(block: number, side: Side): number {
  return (2 * block + SIDES[side]) * BLOCK_SAMPLES
}
