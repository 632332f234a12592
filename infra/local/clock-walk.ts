import type { CallStore } from '#shared/ports/call-store.ts'
import type { Clock } from '#shared/ports/clock.ts'
import type { WebhookStore } from '#shared/ports/webhook-store.ts'

/** A call that goes on for longer than this stops a walk, with an error that says so. */
const SETTLE_TIMEOUT_MS = 600_000
const LOOK_EVERY_MS = 20
/** So often in a row nothing may be left to do, because messages are between two places at times. */
const QUIET_LOOKS = 4

export interface WalkPorts {
  readonly clock: Clock & { advance(ms: number): void }
  readonly calls: CallStore
  readonly webhooks: WebhookStore
  /** Messages waiting or being worked on, but for calls to start. */
  readonly messagesLeft: () => number
  /** Whether anybody is there to conduct calls; else only time ends those that wait for it. */
  readonly hasRuntime: () => boolean
  /** The next wake-up asked of the scheduler, or null. */
  readonly nextWakeAt: () => number | null
  /** Sends every wake-up that is due. */
  readonly fireWakes: () => Promise<void>
  readonly sweep: () => Promise<void>
}

/**
 * Puts the test clock forward to `until`, through everything that falls due on the way and in order
 * of time: whatever starts at a moment has finished, calls included, before time goes on. Calls take
 * the time that they take.
 */
export async function walkClock(ports: WalkPorts, until: number): Promise<void> {
  await settle(ports)
  for (;;) {
    const dueAt = await nextDueAt(ports, until)
    if (dueAt === null) break
    if (dueAt > ports.clock.now()) ports.clock.advance(dueAt - ports.clock.now())
    await ports.fireWakes()
    await ports.sweep()
    await settle(ports)
  }
  if (until > ports.clock.now()) ports.clock.advance(until - ports.clock.now())
}

/** The next moment at which something happens, until `until`; null when nothing does. */
async function nextDueAt(ports: WalkPorts, until: number): Promise<number | null> {
  const scopes = await ports.calls.listScopes()
  const orders = await Promise.all(scopes.map((scope) => ports.calls.nextDueAt(scope)))
  const [delivery] = await ports.webhooks.listDue(until, 1)
  const found = delivery === undefined ? null : await ports.webhooks.find(delivery)
  const leaseEnd = ports.hasRuntime() ? null : await firstLeaseEnd(ports.calls)
  const moments = [...orders, found?.dueAt ?? null, ports.nextWakeAt(), leaseEnd].filter(
    (moment) => moment !== null && moment <= until,
  ) as number[]
  return moments.length === 0 ? null : Math.min(...moments)
}

async function firstLeaseEnd(calls: CallStore): Promise<number | null> {
  const [first] = await calls.listExpiredLeases(Number.MAX_SAFE_INTEGER, 1)
  if (first === undefined) return null
  return (await calls.findAttempt(first.orderId, first.number))?.leaseUntil ?? null
}

/** Waits until nothing is being done and nothing more is to be done now. */
async function settle(ports: WalkPorts): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_TIMEOUT_MS
  for (let quiet = 0; quiet < QUIET_LOOKS;) {
    quiet = (await isBusy(ports)) ? 0 : quiet + 1
    if (performance.now() > giveUpAt)
      throw new Error('Calls go on for too long to put the clock forward')
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function isBusy(ports: WalkPorts): Promise<boolean> {
  if (ports.messagesLeft() > 0) return true
  const live = await ports.calls.listExpiredLeases(Number.MAX_SAFE_INTEGER, 1)
  if (live.length > 0 && ports.hasRuntime()) return true
  const undone = await ports.calls.listUndone(Number.MAX_SAFE_INTEGER, 1)
  return undone.length > 0
}
