import { compose, queues } from '#functions/compose.ts'
import { SWEEP_INTERVAL_MS } from '#shared/domain/lease.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/**
 * EventBridge ticks once a minute, and a dead process must be noticed faster: each tick asks for
 * the sweeps of its minute.
 */
export async function requestSweeps(ports: Pick<ServicePorts, 'queues'>): Promise<void> {
  for (let delayMs = 0; delayMs < 60_000; delayMs += SWEEP_INTERVAL_MS) {
    await ports.queues.send('dispatch', { sweep: true }, { delaySecs: delayMs / 1000 })
  }
}

export const ports = compose({ queues })
export const handler = (): Promise<void> => requestSweeps(ports())
