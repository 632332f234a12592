export interface Timed<T> {
  /** Epoch ms; null: not on the timeline. */
  readonly at: number | null
  readonly id: string
  readonly value: T
}

/** What is due at `until` or before, earliest first, by id where the moment is the same. */
export function earliest<T>(
  all: readonly Timed<T>[],
  until: number,
  limit: number,
): (Timed<T> & { readonly at: number })[] {
  return all
    .filter((timed): timed is Timed<T> & { at: number } => timed.at !== null && timed.at <= until)
    .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
    .slice(0, limit)
}
