import { ScanCommand } from '@aws-sdk/lib-dynamodb'

import { documentClient } from '#shared/data/document-client.ts'
import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { Stores } from '#shared/ports/service-ports.ts'
import type { CarrierCall } from '#test/support/local-stack.ts'

const TABLE_NAME = 'parley'
const ATTEMPTS_MAX = 10_000

/** A place that somebody holds. */
interface Lease {
  readonly shard: string
  readonly holder: string
  readonly until: number
}

/**
 * Looks at every permit that is held, again and again, and measures how long one was held for
 * nothing: by an attempt that is over, or that nobody waits for and no call belongs to.
 */
export class LeaseWatch {
  readonly #client
  readonly #calls: Stores['calls']
  readonly #idleSince = new Map<string, number>()
  longestIdle = { ms: 0, what: '' }

  constructor(options: { readonly endpoint: string; readonly stores: Pick<Stores, 'calls'> }) {
    this.#client = documentClient({ endpoint: options.endpoint })
    this.#calls = options.stores.calls
  }

  /** `now` is the service's time; gives how many permits are held at it. */
  async look(now: number, dials: readonly CarrierCall[]): Promise<number> {
    const leases = (await this.#leases()).filter(({ until }) => until > now)
    const live = await this.#liveAttempts()
    const ringing = new Set(
      dials.filter((call) => call.ended_at === null).map(({ attempt_id: id }) => id),
    )
    const seen = new Set<string>()
    for (const { shard, holder } of leases) {
      const attempt = live.get(holder)
      const isWaiting = attempt !== undefined && attempt.dialStartedAt === null
      if (isWaiting || ringing.has(holder)) continue
      const key = `${shard} ${holder}`
      seen.add(key)
      const since = this.#idleSince.get(key) ?? now
      this.#idleSince.set(key, since)
      if (now - since <= this.longestIdle.ms) continue
      const stateOf = attempt === undefined ? 'is over' : `is ${attempt.status}`
      this.longestIdle = { ms: now - since, what: `${shard} of an attempt that ${stateOf}` }
    }
    for (const key of this.#idleSince.keys()) if (!seen.has(key)) this.#idleSince.delete(key)
    return leases.length
  }

  /** Somebody was killed: what nobody gave back by then is waited for from now on. */
  startAgain(now: number): void {
    for (const key of this.#idleSince.keys()) this.#idleSince.set(key, now)
  }

  close(): void {
    this.#client.destroy()
  }

  async #leases(): Promise<Lease[]> {
    const leases: Lease[] = []
    let from: Record<string, unknown> | undefined
    do {
      const page = await this.#client.send(
        new ScanCommand({
          TableName: TABLE_NAME,
          FilterExpression: 'attribute_exists(leases)',
          ConsistentRead: true,
          ExclusiveStartKey: from,
        }),
      )
      for (const item of page.Items ?? []) {
        const held = Object.entries(item['leases'] as Record<string, number>)
        const shard = `${item['pk']} ${item['sk']}`
        leases.push(...held.map(([holder, until]) => ({ shard, holder, until })))
      }
      from = page.LastEvaluatedKey
    } while (from !== undefined)
    return leases
  }

  /** By id: the attempts that have not ended. */
  async #liveAttempts(): Promise<ReadonlyMap<string, CallAttempt>> {
    const targets = await this.#calls.listExpiredLeases(Number.MAX_SAFE_INTEGER, ATTEMPTS_MAX)
    const attempts = await Promise.all(
      targets.map(({ orderId, number }) => this.#calls.findAttempt(orderId, number)),
    )
    return new Map(
      attempts
        .filter((attempt) => attempt?.endedAt === null)
        .map((attempt) => [attempt!.id, attempt!]),
    )
  }
}
