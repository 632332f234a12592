type Step = () => unknown

/** What was started, to be stopped in the opposite order. */
export class Teardown {
  readonly #steps: Step[] = []

  add(step: Step): void {
    this.#steps.push(step)
  }

  /** A step that fails does not keep the others from being taken. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step()
      } catch (error) {
        process.stderr.write(`While stopping: ${String(error)}\n`)
      }
    }
  }
}
