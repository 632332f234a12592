import type { World } from './world.ts'

/**
 * A running piece of the service: a Lambda invocation, a runtime, a media session. It may die between
 * any two things that it does to the world, and its clock may be wrong.
 */
export class Process {
  readonly name: string
  readonly skewMs: number
  readonly #parent: Process | null
  readonly #mourners: (() => void)[] = []
  #isDead = false
  /** So many more things it does; null: it dies only when it is killed. */
  #deedsLeft: number | null

  constructor(
    name: string,
    options: {
      readonly parent?: Process
      readonly skewMs?: number
      readonly diesAfter?: number | null
    } = {},
  ) {
    this.name = name
    this.#parent = options.parent ?? null
    this.skewMs = options.skewMs ?? options.parent?.skewMs ?? 0
    this.#deedsLeft = options.diesAfter ?? null
  }

  get isAlive(): boolean {
    return !this.#isDead && this.#parent?.isAlive !== false
  }

  kill(): void {
    if (this.#isDead) return
    this.#isDead = true
    for (const mourn of this.#mourners) mourn()
  }

  /** Once it is dead, by itself or with whatever it runs in. */
  whenDead(mourn: () => void): void {
    if (!this.isAlive) return mourn()
    this.#mourners.push(mourn)
    this.#parent?.whenDead(mourn)
  }

  /** It has done one thing more; false when that was the last. */
  hasDone(): boolean {
    if (this.#deedsLeft === null) return true
    this.#deedsLeft -= 1
    if (this.#deedsLeft <= 0) this.kill()
    return this.isAlive
  }

  /** Time passes for it; if it dies meanwhile it never goes on. */
  pass(world: World, delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      world.in(delayMs, () => {
        if (this.isAlive) resolve()
      })
    })
  }
}
