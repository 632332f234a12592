import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'

import { now } from './monotonic.ts'

/** A carrier holds so much of a speech before it waits for the next piece (300 ms in pieces of 100). */
const HELD_PIECES = 3
/** Longer without a piece, and it is another speech. */
const PAUSE_MS = 600

interface Speech {
  pieces: number
  lastAt: number
  /** Pieces after the first ones, whole ones: when each came, against an even beat. */
  offsets: number[]
  playedMs: number
}

/**
 * How late the pieces of each speech are against the best one of the same speech on an even beat:
 * what a carrier without a buffer would have to hide.
 */
export class PieceLateness {
  readonly #report: (lateMs: number) => void
  readonly #speeches = new Map<number, Speech>()

  constructor(report: (lateMs: number) => void) {
    this.#report = report
  }

  note(session: number, bytes: number): void {
    const at = now()
    let speech = this.#speeches.get(session)
    if (speech !== undefined && at - speech.lastAt > PAUSE_MS) {
      this.restart(session)
      speech = undefined
    }
    speech ??= { pieces: 0, lastAt: at, offsets: [], playedMs: 0 }
    this.#speeches.set(session, speech)
    speech.pieces += 1
    speech.lastAt = at
    if (speech.pieces > HELD_PIECES) speech.offsets.push(at - speech.playedMs)
    speech.playedMs += bytes / SAMPLES_PER_MS
  }

  /** The speech is over. */
  restart(session: number): void {
    const offsets = this.#speeches.get(session)?.offsets ?? []
    const best = Math.min(...offsets)
    for (const offset of offsets) this.#report(offset - best)
    this.#speeches.delete(session)
  }
}
