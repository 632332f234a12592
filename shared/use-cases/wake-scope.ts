import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { sendAt } from './send-at.ts'

export type WakePorts = Pick<ServicePorts, 'wakes' | 'queues' | 'scheduler' | 'clock'>

/**
 * Has the dispatcher look at a scope at once, or at `at` (epoch ms). Of those to come only the next
 * one is on its way: when it has come, the dispatcher asks for the one after it.
 */
export async function wakeScope(ports: WakePorts, scope: string, at: number): Promise<void> {
  if (await claimWake(ports, scope, at)) await sendWake(ports, scope, at)
}

/** By how much the clocks of two processes may differ. */
const CLOCK_SKEW_MS = 5_000

/**
 * Whether a wake-up has to be sent: of those to come the earliest, and always one for now. Nearly now
 * is now as well: the one that is on its way may be the one that came to a process whose clock lags.
 */
export async function claimWake(ports: WakePorts, scope: string, at: number): Promise<boolean> {
  const now = ports.clock.now()
  return at <= now + CLOCK_SKEW_MS || ports.wakes.claimAt(scope, at, now)
}

/** Sends a wake-up that was claimed. */
export async function sendWake(ports: WakePorts, scope: string, at: number): Promise<void> {
  await sendAt(ports, {
    name: `wake-${scope}`,
    at,
    queue: 'dispatch',
    message: { scope },
    group: scope,
  })
}
