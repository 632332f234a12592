import { SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'

/** Samples of one side that are kept together: 2 s. */
export const BLOCK_SAMPLES = 2 * SAMPLE_RATE_HZ

/** What is to be written into the recording's file: samples of one block from `offset` on. */
export interface TrackPiece {
  readonly block: number
  readonly offset: number
  /** The complement of mu-law, so that whatever was never written, zeros, is silence. */
  readonly bytes: Uint8Array
}

/**
 * One side of a recording on its way into a file. Samples come at their place in media time, in any
 * order; only the newest blocks are kept in memory. Of two samples at the same place the later counts.
 */
export class SoundTrack {
  readonly #keptSamples: number
  readonly #blocks = new Map<number, Uint8Array>()
  /** Blocks before this one are in the file. */
  #firstKept = 0
  /** Up to the end of the last sample. */
  length = 0

  /** `keptSamples`: the last part of the track, which may still be cut, stays in memory. */
  constructor(options: { readonly keptSamples: number }) {
    this.#keptSamples = options.keptSamples
  }

  /** Returns what is to be written now. */
  write(at: number, mulaw: Uint8Array): readonly TrackPiece[] {
    const pieces: TrackPiece[] = []
    for (let done = 0; done < mulaw.length;) {
      const block = Math.floor((at + done) / BLOCK_SAMPLES)
      const offset = (at + done) % BLOCK_SAMPLES
      const part = mulaw.subarray(done, done + BLOCK_SAMPLES - offset)
      if (block < this.#firstKept) pieces.push({ block, offset, bytes: complementOf(part) })
      else this.#keep(block, offset, part)
      done += part.length
    }
    this.length = Math.max(this.length, at + mulaw.length)
    for (; this.#isSettled(this.#firstKept); this.#firstKept += 1) {
      pieces.push(...this.#take(this.#firstKept))
    }
    return pieces
  }

  /** Nothing was heard from `at` on. */
  cut(at: number): readonly TrackPiece[] {
    const pieces: TrackPiece[] = []
    for (let done = Math.max(0, at); done < this.length;) {
      const block = Math.floor(done / BLOCK_SAMPLES)
      const offset = done % BLOCK_SAMPLES
      const length = Math.min(BLOCK_SAMPLES - offset, this.length - done)
      if (block < this.#firstKept) pieces.push({ block, offset, bytes: new Uint8Array(length) })
      else this.#blocks.get(block)?.fill(0, offset, offset + length)
      done += length
    }
    this.length = Math.min(this.length, Math.max(0, at))
    return pieces
  }

  /** What is not written yet; the track is over. */
  rest(): readonly TrackPiece[] {
    return [...this.#blocks.keys()].flatMap((block) => this.#take(block))
  }

  #keep(block: number, offset: number, part: Uint8Array): void {
    const samples = this.#blocks.get(block) ?? new Uint8Array(BLOCK_SAMPLES)
    for (let i = 0; i < part.length; i++) samples[offset + i] = ~part[i]!
    this.#blocks.set(block, samples)
  }

  #isSettled(block: number): boolean {
    return (block + 1) * BLOCK_SAMPLES + this.#keptSamples <= this.length
  }

  #take(block: number): readonly TrackPiece[] {
    const bytes = this.#blocks.get(block)
    this.#blocks.delete(block)
    return bytes === undefined ? [] : [{ block, offset: 0, bytes }]
  }
}

function complementOf(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => ~byte)
}
