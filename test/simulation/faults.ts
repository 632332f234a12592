import { AdapterError } from '#shared/ports/adapter-error.ts'

import type { Process, World } from './world.ts'

/** How unkind the world is; each a probability per occasion. */
export interface Faults {
  /** A call to a store, a queue or a vendor fails before it had any effect. */
  readonly failBefore: number
  /** ... fails after it had its effect: the caller cannot know. */
  readonly failAfter: number
  /** A process dies somewhere on its way. */
  readonly kill: number
  readonly duplicateMessage: number
  readonly delayMessage: number
  readonly duplicateCarrierEvent: number
  readonly loseCarrierEvent: number
  readonly failModel: number
  readonly failWebhook: number
}

export const NO_FAULTS: Faults = {
  failBefore: 0,
  failAfter: 0,
  kill: 0,
  duplicateMessage: 0,
  delayMessage: 0,
  duplicateCarrierEvent: 0,
  loseCarrierEvent: 0,
  failModel: 0,
  failWebhook: 0,
}

export const HARSH: Faults = {
  failBefore: 0.004,
  failAfter: 0.004,
  kill: 0.03,
  duplicateMessage: 0.08,
  delayMessage: 0.08,
  duplicateCarrierEvent: 0.15,
  loseCarrierEvent: 0.05,
  failModel: 0.1,
  failWebhook: 0.3,
}

/** How long one call to a store or a vendor takes, in ms. */
const CALL_MS: readonly [number, number] = [1, 15]

/**
 * A port as a process sees it: every call takes time in which others go on, may fail before or after
 * its effect, and never returns to a process that died.
 */
export function unreliable<T extends object>(
  port: T,
  context: { readonly world: World; readonly process: Process; readonly faults: () => Faults },
): T {
  const { world, process, faults } = context
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        await world.pass(process, world.random.between(...CALL_MS))
        if (world.random.chance(faults().failBefore)) throw lost(true)
        const result: unknown = await Reflect.apply(member, target, args)
        await world.pass(process, world.random.between(...CALL_MS))
        if (world.random.chance(faults().failAfter)) throw lost(false)
        return result
      }
    },
  })
}

function lost(hadNoEffect: boolean): AdapterError {
  return new AdapterError('The connection was lost', { retryable: hadNoEffect })
}
