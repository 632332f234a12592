/** Figures of one kind, and how they are spread. */
export class Samples {
  #values: number[] = []

  add(value: number): void {
    this.#values.push(value)
  }

  clear(): void {
    this.#values = []
  }

  get summary(): Spread {
    return spreadOf(this.#values)
  }
}

export interface Spread {
  readonly count: number
  readonly p50: number | null
  readonly p99: number | null
  readonly max: number | null
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
    return value === undefined ? null : Math.round(value * 100) / 100
  }
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}
