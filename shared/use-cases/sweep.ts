import { campaignOfScope, organizationOfScope } from '#shared/domain/scope.ts'
import type { StoredEffect } from '#shared/ports/call-store.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { expireLease, type ExpirePorts } from './expire-lease.ts'
import { inParallel } from './in-parallel.ts'
import { performEffect } from './perform-effect.ts'
import { freeCapacityOf, unblockOrders, type PermitPorts } from './release-permits.ts'
import { tendCampaign } from './settle-campaign.ts'
import { wakeScope } from './wake-scope.ts'

/** Each sweep looks at this many records of a kind; the next one takes the rest. */
const RECORDS_PER_SWEEP = 500

const SCOPES_AT_ONCE = 8

/** How long an effect may stay stored before it counts as left lying. */
const EFFECT_GRACE_MS: Readonly<Record<StoredEffect['effect']['kind'], number>> = {
  startAttempt: 15_000,
  // These stay stored while the work itself goes on, which includes a language model.
  concludeAttempt: 180_000,
  announce: 60_000,
}

/**
 * The safety net, every 20 s: performs effects that were left lying, looks after attempts whose
 * holder died, wakes scopes with due orders and deliveries with due tries. Nothing depends on it
 * while everything goes well; after any crash, everything goes on by it.
 */
export async function sweep(ports: ExpirePorts & Pick<ServicePorts, 'webhooks'>): Promise<void> {
  const now = ports.clock.now()
  const guard = async (what: string, run: () => Promise<void>) => {
    try {
      await run()
    } catch (error) {
      ports.logger.error('A part of the sweep failed', { part: what, error })
    }
  }
  await guard('effects', async () => {
    for (const stored of await ports.calls.listUndone(now - 15_000, RECORDS_PER_SWEEP)) {
      const isLeft = stored.createdAt <= now - EFFECT_GRACE_MS[stored.effect.kind]
      if (isLeft) await guard('effect', () => performEffect(ports, stored))
      else await guard('capacity', () => freeCapacityEarly(ports, stored))
    }
  })
  await guard('leases', async () => {
    for (const target of await ports.calls.listExpiredLeases(now, RECORDS_PER_SWEEP)) {
      await guard('lease', () => expireLease(ports, target))
    }
  })
  await guard('scopes', async () => {
    await inParallel(await ports.calls.listScopes(), SCOPES_AT_ONCE, (scope) =>
      guard('scope', () => tendScope(ports, scope)),
    )
  })
  await guard('webhooks', async () => {
    for (const deliveryId of await ports.webhooks.listDue(now, RECORDS_PER_SWEEP)) {
      await ports.queues.send('webhook', { deliveryId })
    }
  })
}

async function tendScope(ports: ExpirePorts, scope: string): Promise<void> {
  const now = ports.clock.now()
  const dueAt = await ports.calls.nextDueAt(scope)
  if (dueAt !== null && dueAt <= now) await wakeScope(ports, scope, now)
  const campaignId = campaignOfScope(scope)
  if (campaignId !== null) await tendCampaign(ports, campaignId)
  const organizationId = organizationOfScope(scope)
  if (organizationId === null) return
  for (const permit of await ports.calls.listBlockingPermits(organizationId)) {
    await unblockOrders(ports, organizationId, permit)
  }
}

/** A conclusion may take minutes, or its message be lost; capacity is back within one (lease.ts). */
async function freeCapacityEarly(ports: PermitPorts, { effect }: StoredEffect): Promise<void> {
  if (effect.kind !== 'concludeAttempt') return
  const attempt = await ports.calls.findAttempt(effect.orderId, effect.number)
  if (attempt !== null && attempt.endedAt !== null) await freeCapacityOf(ports, attempt)
}
