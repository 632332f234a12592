import { FRAME_MS, SAMPLES_PER_MS, SILENT_FRAME } from '#shared/audio/frame.ts'

import { StereoRecording } from '../media/stereo-recording.ts'

interface Piece {
  readonly audio: Uint8Array
  readonly atMs: number
}

/** Both sides of a call as the callee heard them: what the agent sent and nobody heard is not in it. */
export class SessionRecording {
  readonly #recording: StereoRecording
  /** Kept apart, because it is sent before it is heard and may be cut. */
  #agent: Piece[] = []

  constructor(options: { readonly maxMs: number }) {
    this.#recording = new StereoRecording(options)
  }

  addCallee(frame: Uint8Array, atMs: number): void {
    this.#recording.addCallee(atMs, frame)
  }

  addAgent(audio: Uint8Array, atMs: number): void {
    this.#agent.push({ audio, atMs })
  }

  /** The agent was not heard from `atMs` on. */
  cutAgent(atMs: number): void {
    this.#agent = this.#agent.flatMap((piece) => {
      const samples = Math.floor((atMs - piece.atMs) * SAMPLES_PER_MS)
      return samples > 0 ? [{ ...piece, audio: piece.audio.subarray(0, samples) }] : []
    })
  }

  /**
   * Stereo WAV, callee left, agent right, as long as the call was. Longer when a carrier that had
   * fallen behind played the agent's last words faster than the clock foresaw: they were heard.
   */
  toWav(durationMs: number): Uint8Array {
    for (const { audio, atMs } of this.#agent) this.#recording.addAgent(atMs, audio)
    if (this.#recording.durationMs < durationMs) {
      this.#recording.addAgent(Math.max(0, durationMs - FRAME_MS), SILENT_FRAME)
    }
    return this.#recording.toWav()
  }
}
