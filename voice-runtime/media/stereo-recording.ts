import { FRAME_BYTES, SAMPLES_PER_MS, SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import { decodeMulaw, MULAW_SILENCE } from '#shared/audio/mulaw.ts'
import { writeWav } from '#shared/audio/wav.ts'

/** Samples per block; blocks in which nobody is heard are never made. */
const BLOCK = SAMPLE_RATE_HZ

/** The audio of one side by media time, in any order. Of two frames at the same time the later one counts. */
class Track {
  readonly #blocks = new Map<number, Uint8Array>()
  length = 0

  write(at: number, audio: Uint8Array): void {
    for (let done = 0; done < audio.length;) {
      const block = Math.floor((at + done) / BLOCK)
      const offset = (at + done) % BLOCK
      const part = audio.subarray(done, done + BLOCK - offset)
      const samples = this.#blocks.get(block) ?? new Uint8Array(BLOCK).fill(MULAW_SILENCE)
      samples.set(part, offset)
      this.#blocks.set(block, samples)
      done += part.length
    }
    this.length = Math.max(this.length, at + audio.length)
  }

  /** Writes this side into every second sample of an interleaved recording full of silence. */
  interleave(recording: Uint8Array, channel: 0 | 1): void {
    for (const [block, samples] of this.#blocks) {
      const start = block * BLOCK
      const end = Math.min(BLOCK, recording.length / 2 - start)
      for (let i = 0; i < end; i++) recording[(start + i) * 2 + channel] = samples[i]!
    }
  }
}

/**
 * What a call sounded like: callee left, agent right, silence where nothing was sent. Keeps mu-law, so
 * an hour of two sides takes at most 58 MB; frames outside `maxMs` of media time are not recorded.
 */
export class StereoRecording {
  readonly #callee = new Track()
  readonly #agent = new Track()
  readonly #maxMs: number

  constructor(options: { readonly maxMs: number }) {
    this.#maxMs = options.maxMs
  }

  addCallee(atMs: number, frame: Uint8Array): void {
    this.#add(this.#callee, atMs, frame)
  }

  addAgent(atMs: number, frame: Uint8Array): void {
    this.#add(this.#agent, atMs, frame)
  }

  get durationMs(): number {
    return Math.max(this.#callee.length, this.#agent.length) / SAMPLES_PER_MS
  }

  /**
   * A WAVE file at 8 kHz, from media time 0 to the end of the last frame; 16-bit PCM, because not every
   * player and library reads mu-law.
   */
  toWav(): Uint8Array {
    const length = Math.max(this.#callee.length, this.#agent.length)
    const data = new Uint8Array(length * 2).fill(MULAW_SILENCE)
    this.#callee.interleave(data, 0)
    this.#agent.interleave(data, 1)
    const pcm = new Uint8Array(decodeMulaw(data).buffer)
    return writeWav({ encoding: 'pcm16', sampleRateHz: SAMPLE_RATE_HZ, channels: 2, data: pcm })
  }

  #add(track: Track, atMs: number, frame: Uint8Array): void {
    const lastMs = atMs + FRAME_BYTES / SAMPLES_PER_MS
    if (atMs < 0 || lastMs > this.#maxMs) return
    track.write(Math.round(atMs * SAMPLES_PER_MS), frame)
  }
}
