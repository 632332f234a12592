import { FRAME_BYTES, SAMPLE_RATE_HZ, SILENT_FRAME } from '#shared/audio/frame.ts'

/** Five minutes, which is longer than any simulated call. */
const MAX_BYTES = 5 * 60 * SAMPLE_RATE_HZ

/**
 * What the agent has sent and the callee has not heard yet (reference/protocols-media.md 3.3, flow
 * control). Positions are bytes since the stream began.
 */
export class PlayoutBuffer {
  #chunks: Uint8Array[] = []
  #marks: { name: string; at: number }[] = []
  #sent = 0
  #played = 0

  /** False, and nothing is kept, when that is more than the carrier holds. */
  write(audio: Uint8Array): boolean {
    if (this.#sent - this.#played + audio.length > MAX_BYTES) return false
    if (audio.length > 0) this.#chunks.push(audio)
    this.#sent += audio.length
    return true
  }

  /** A name to give back once all that was written before it has played. */
  mark(name: string): void {
    this.#marks.push({ name, at: this.#sent })
  }

  /** Drops what has not played; gives every mark that was waiting. */
  clear(): string[] {
    this.#chunks = []
    this.#played = this.#sent
    return this.#passedMarks()
  }

  /** Plays 20 ms, filled up with silence; gives the marks that were reached by it. */
  play(): { readonly frame: Uint8Array; readonly marks: readonly string[] } {
    const frame = SILENT_FRAME.slice()
    let filled = 0
    for (let head = this.#chunks[0]; head !== undefined && filled < FRAME_BYTES;) {
      const part = head.subarray(0, FRAME_BYTES - filled)
      frame.set(part, filled)
      filled += part.length
      if (part.length === head.length) this.#chunks.shift()
      else this.#chunks[0] = head.subarray(part.length)
      head = this.#chunks[0]
    }
    this.#played += filled
    return { frame, marks: this.#passedMarks() }
  }

  #passedMarks(): string[] {
    const passed = this.#marks.filter((mark) => mark.at <= this.#played)
    this.#marks = this.#marks.slice(passed.length)
    return passed.map((mark) => mark.name)
  }
}
