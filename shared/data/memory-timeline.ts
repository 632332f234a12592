interface Timed<T> {
  /** Epoch ms. */
  readonly at: number
  readonly id: string
  readonly value: T
}

/** So many stand in one piece: few enough to shift, many enough for few pieces. */
const PIECE_MAX = 256

/**
 * What is due when, earliest first, by id where the moment is the same. Changing and reading it takes
 * no longer for a million entries than for a few.
 */
export class MemoryTimeline<T> {
  readonly #byId = new Map<string, Timed<T>>()
  /** None is empty. */
  readonly #pieces: Timed<T>[][] = []

  /** Puts an entry on the timeline, moves it, or takes it off (`at` null). */
  set(id: string, at: number | null, value: T): void {
    const known = this.#byId.get(id)
    if (known !== undefined) this.#take(known)
    if (at === null) return
    const timed = { at, id, value }
    this.#byId.set(id, timed)
    const piece = this.#pieces[this.#pieceOf(timed)]
    if (piece === undefined) this.#pieces.push([timed])
    else {
      piece.splice(placeIn(piece, timed), 0, timed)
      if (piece.length > PIECE_MAX) this.#split(piece)
    }
  }

  /** What is due at `until` or before. */
  earliest(until: number, limit: number): Timed<T>[] {
    const found: Timed<T>[] = []
    for (const piece of this.#pieces) {
      for (const timed of piece) {
        if (found.length >= limit || timed.at > until) return found
        found.push(timed)
      }
    }
    return found
  }

  #take(timed: Timed<T>): void {
    this.#byId.delete(timed.id)
    const index = this.#pieceOf(timed)
    const piece = this.#pieces[index] ?? []
    piece.splice(placeIn(piece, timed), 1)
    if (piece.length === 0) this.#pieces.splice(index, 1)
  }

  #split(piece: Timed<T>[]): void {
    const rest = piece.splice(piece.length >>> 1)
    this.#pieces.splice(this.#pieces.indexOf(piece) + 1, 0, rest)
  }

  /** The last piece that does not begin behind it. */
  #pieceOf(timed: Timed<T>): number {
    const behind = firstWhere(this.#pieces.length, (index) => {
      const [first] = this.#pieces[index] ?? []
      return first !== undefined && compare(first, timed) > 0
    })
    return Math.max(0, behind - 1)
  }
}

function placeIn<T>(piece: readonly Timed<T>[], timed: Timed<T>): number {
  return firstWhere(piece.length, (index) => {
    const other = piece[index]
    return other !== undefined && compare(other, timed) >= 0
  })
}

/** The first of `count` indexes from which on `holds` is true; `count` when it never is. */
function firstWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

function compare(one: Timed<unknown>, other: Timed<unknown>): number {
  if (one.at !== other.at) return one.at - other.at
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
