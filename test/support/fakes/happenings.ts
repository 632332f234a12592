/** Lets a test wait for something to become true in a fake, without looking at a clock. */
export class Happenings {
  readonly #checks = new Set<() => void>()

  /** Something changed. */
  note(): void {
    for (const check of this.#checks) check()
  }

  /** Resolves when it is so. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isSo()) return
        this.#checks.delete(check)
        resolve()
      }
      this.#checks.add(check)
      check()
    })
  }
}
