import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { performEffect } from '#shared/use-cases/perform-effect.ts'
import { sweep } from '#shared/use-cases/sweep.ts'

/** More than this at once are left to the sweeps. */
const EFFECTS_MAX = 10_000

/**
 * The queues of a local stack end with it, and what they held is only in the outbox then. The next
 * stack sends it again at its start instead of waiting until it counts as left lying.
 */
export async function resume(ports: ServicePorts): Promise<void> {
  const undone = await ports.calls.listUndone(Number.MAX_SAFE_INTEGER, EFFECTS_MAX)
  for (const stored of undone) await performEffect(ports, stored)
  await sweep(ports)
}
