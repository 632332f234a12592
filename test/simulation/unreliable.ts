import { AdapterError } from '#shared/ports/adapter-error.ts'

import type { Faults } from './faults.ts'
import type { Process } from './process.ts'
import type { World } from './world.ts'

/** How long one call to a store or a vendor takes, in ms. */
const CALL_MS: readonly [number, number] = [1, 25]
const STALL_MS: readonly [number, number] = [10_000, 90_000]

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
        await process.pass(world, world.random.between(...CALL_MS))
        await maybeStall(world, process, faults().stall)
        if (world.faults(faults().failBefore)) throw lost(true)
        if (name === 'save' && isChange(args) && world.faults(faults().conflict)) {
          return { kind: 'conflict' }
        }
        const result: unknown = await Reflect.apply(member, target, args)
        if (!process.hasDone()) return died(world, process)
        await maybeStall(world, process, faults().stall)
        if (world.faults(faults().failAfter)) throw lost(false)
        return result
      }
    },
  })
}

/** Standing still is something that goes wrong as long as it lasts. */
async function maybeStall(world: World, process: Process, probability: number): Promise<void> {
  if (!world.faults(probability)) return
  await process.pass(world, world.random.between(...STALL_MS))
  world.lastFaultAt = world.now
}

/** A save that creates something has nobody who could have been faster. */
function isChange([write]: unknown[]): boolean {
  const { order, attempt, before } = write as Record<string, { before?: unknown } | null>
  return [order?.before, attempt?.before, before].some((known) => known != null)
}

function died(world: World, process: Process): Promise<never> {
  world.lastFaultAt = world.now
  world.note(`died: ${process.name}`)
  return new Promise(() => {})
}

function lost(hadNoEffect: boolean): AdapterError {
  return new AdapterError('The connection was lost', { retryable: hadNoEffect })
}
