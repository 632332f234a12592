/** Things that arrive from elsewhere, and a way to wait for them without sleeping. */
export class Mailbox<T> {
  readonly items: T[] = []
  #waiting: (() => void)[] = []

  put(item: T): void {
    this.items.push(item)
    for (const tell of this.#waiting.splice(0)) tell()
  }

  /** All that arrived, as soon as `isEnough` says so. */
  async until(isEnough: (items: readonly T[]) => boolean): Promise<readonly T[]> {
    while (!isEnough(this.items)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return this.items
  }

  count(count: number): Promise<readonly T[]> {
    return this.until((items) => items.length >= count)
  }
}
