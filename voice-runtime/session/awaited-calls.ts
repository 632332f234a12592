import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallStore } from '#shared/ports/call-store.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'

/** How often the table is asked about the calls that are waited for. */
const LOOK_EVERY_MS = 2_000

export interface AwaitedCall {
  readonly orderId: string
  readonly number: number
}

export interface AwaitedCallsDeps {
  readonly calls: Pick<CallStore, 'findAttempt'>
  readonly timers: Timers
  readonly logger: Logger
}

/**
 * The places kept for calls that were dialled and have brought no media yet. That a phone was never
 * answered, or that its media went to another process, is told to the table and not to this process:
 * so the table is asked, and every attempt ends there sooner or later by its lease.
 */
export class AwaitedCalls {
  readonly #deps: AwaitedCallsDeps
  readonly #calls = new Map<string, AwaitedCall>()
  #isLooking = false

  constructor(deps: AwaitedCallsDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#calls.size
  }

  add(call: AwaitedCall): void {
    this.#calls.set(keyOf(call), call)
    if (this.#isLooking) return
    this.#isLooking = true
    this.#lookLater()
  }

  /** Harmless for a call that nobody waits for. */
  remove(call: AwaitedCall): void {
    this.#calls.delete(keyOf(call))
  }

  #lookLater(): void {
    this.#deps.timers.after(LOOK_EVERY_MS, () => void this.#look())
  }

  async #look(): Promise<void> {
    const { calls, logger } = this.#deps
    for (const call of this.#calls.values()) {
      const { orderId, number } = call
      try {
        if (isGone(await calls.findAttempt(orderId, number))) this.remove(call)
      } catch (error) {
        logger.warn('an attempt could not be looked at', { orderId, number, error })
      }
    }
    this.#isLooking = this.#calls.size > 0
    if (this.#isLooking) this.#lookLater()
  }
}

/** It has ended, or is held by a session elsewhere: nobody will bring its media here. */
function isGone(attempt: CallAttempt | null): boolean {
  return attempt === null || attempt.endedAt !== null || attempt.fence > 0
}

export function keyOf({ orderId, number }: AwaitedCall): string {
  return `${orderId}/${number}`
}
