type Step = () => unknown

/** What was started, to be stopped in the opposite order. */
export class Teardown {
  readonly #steps: Step[] = []
  #hasBegun = false

  add(step: Step): void {
    this.#steps.push(step)
  }

  /** To be asked right before something is started that would outlive its end. */
  throwIfBegun(): void {
    if (this.#hasBegun) throw new Error('The local stack is stopping')
  }

  /** A step that fails does not keep the others from being taken. */
  async run(): Promise<void> {
    this.#hasBegun = true
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step()
      } catch (error) {
        process.stderr.write(`While stopping: ${String(error)}\n`)
      }
    }
  }
}
