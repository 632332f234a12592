import type { HeldPermit } from '#shared/domain/call-attempt/attempt.ts'
import { shardCap, shardOrder } from '#shared/domain/permit-shards.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { PermitRequest, Permits } from '#shared/ports/permits.ts'

import { garbageIn, putItem, queryRange, updateIf } from './dynamo-table.ts'
import type { ConditionalUpdate, DynamoTable } from './dynamo-table.ts'
import { countLive, planTake, type Leases, type Take } from './lease-map.ts'
import { permitKeys } from './table.ts'

/** Nobody needs more at once under one name, and each 50 of them are an item to look at. */
const CAP_MAX = 10_000

/** Each round means that somebody else took or gave back a place in between. */
const ROUNDS_MAX = 200

/** A shard that nobody has used for this long holds no live lease. */
const UNUSED_DAYS = 30

/**
 * Permits on DynamoDB: a cap is spread over items with up to 50 leases each (aws.md 2.4). Every
 * write is conditional on what it was decided on; when that changed, the shards are looked at again.
 */
export function dynamoPermits(table: DynamoTable): Permits {
  return {
    acquire: (request) => acquire(table, request),
    release: async (permit, holder) => {
      await updateIf(table, {
        key: permitKeys.shard(permit.scope, permit.shard),
        update: 'REMOVE leases.#holder',
        condition: 'attribute_exists(leases.#holder)',
        names: { '#holder': holder },
      })
    },
    extend: (permit, holder, until) => updateIf(table, renewUpdate(permit, holder, until)),
    room: async ({ scope, cap, now }) => {
      const seen = await look(table, scope)
      return Math.max(0, capOf(seen, cap) - totalLive(seen.shards, now))
    },
    setCap: (scope, cap) =>
      putItem(table, { ...permitKeys.cap(scope), cap, ttl: garbageIn(UNUSED_DAYS) }),
    count: async (scope, now) => totalLive((await look(table, scope)).shards, now),
  }
}

async function acquire(table: DynamoTable, request: PermitRequest): Promise<HeldPermit | null> {
  const { scope } = request
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    const choice = choose(await look(table, scope), request, table.random ?? Math.random)
    if (choice === null) return null
    const permit = { scope, shard: choice.shard }
    if (await updateIf(table, takeUpdate(choice, permit, request))) return permit
  }
  throw new AdapterError('Too many ask for the same permits', { retryable: true })
}

interface Choice {
  readonly shard: number
  readonly cap: number
  readonly take: Exclude<Take, { kind: 'full' }>
}

/** All that is stored about a scope. */
interface Seen {
  readonly shards: ReadonlyMap<number, Leases>
  /** The cap that was set for it, if any. */
  readonly cap: number | undefined
}

function capOf(seen: Seen, requested: number): number {
  return Math.min(seen.cap ?? requested, CAP_MAX)
}

/** The shard in which the holder has a place, or could have one. */
function choose(seen: Seen, request: PermitRequest, random: () => number): Choice | null {
  const { shards } = seen
  const { holder, now } = request
  const total = capOf(seen, request.cap)
  const held = [...shards].find(([, leases]) => Object.hasOwn(leases, holder))?.[0]
  // A lowered cap may have left leases in shards above it.
  if (held === undefined && totalLive(shards, now) >= total) return null
  for (const shard of held === undefined ? shardOrder(total, holder) : [held]) {
    const cap = shardCap(total, shard)
    const take = planTake(shards.get(shard), { holder, cap, now, chance: random() })
    if (take.kind !== 'full') return { shard, cap, take }
  }
  return null
}

function takeUpdate(
  { take, cap }: Choice,
  permit: HeldPermit,
  { holder, until }: PermitRequest,
): ConditionalUpdate {
  const renewal = renewUpdate(permit, holder, until)
  switch (take.kind) {
    case 'create':
      return {
        key: renewal.key,
        update: 'SET leases = :leases, #shard = :shard, #ttl = :ttl',
        condition: 'attribute_not_exists(pk)',
        names: { '#shard': 'shard', '#ttl': 'ttl' },
        values: {
          ':leases': { [holder]: until },
          ':shard': permit.shard,
          ':ttl': garbageIn(UNUSED_DAYS),
        },
      }
    case 'add':
      return {
        ...renewal,
        condition:
          'attribute_exists(leases) AND (attribute_exists(leases.#holder) OR size(leases) < :cap)',
        values: { ...renewal.values, ':cap': cap },
      }
    case 'replace': {
      const dead = take.dead.map(([name, until], index) => ({ name, until, ref: `dead${index}` }))
      return {
        ...renewal,
        update: `${renewal.update} REMOVE ${dead.map(({ ref }) => `leases.#${ref}`).join(', ')}`,
        condition: [
          'size(leases) < :room',
          ...dead.map(({ ref }) => `leases.#${ref} = :${ref}`),
        ].join(' AND '),
        names: {
          ...renewal.names,
          ...Object.fromEntries(dead.map(({ ref, name }) => [`#${ref}`, name])),
        },
        values: {
          ...renewal.values,
          ...Object.fromEntries(dead.map(({ ref, until }) => [`:${ref}`, until])),
          ':room': cap + dead.length,
        },
      }
    }
  }
}

/** Sets a lease that the holder still has. */
function renewUpdate(permit: HeldPermit, holder: string, until: number): ConditionalUpdate {
  return {
    key: permitKeys.shard(permit.scope, permit.shard),
    update: 'SET leases.#holder = :until, #ttl = :ttl',
    condition: 'attribute_exists(leases.#holder)',
    names: { '#holder': holder, '#ttl': 'ttl' },
    values: { ':until': until, ':ttl': garbageIn(UNUSED_DAYS) },
  }
}

/** All shards of a scope that were ever used, and its cap. */
async function look(table: DynamoTable, scope: string): Promise<Seen> {
  const items = await queryRange(table, permitKeys.all(scope))
  const shards = items.filter(({ leases }) => leases !== undefined)
  return {
    shards: new Map(shards.map((item) => [item['shard'] as number, item['leases'] as Leases])),
    cap: items.find(({ cap }) => cap !== undefined)?.['cap'] as number | undefined,
  }
}

function totalLive(shards: ReadonlyMap<number, Leases>, now: number): number {
  return [...shards.values()].reduce((sum, leases) => sum + countLive(leases, now), 0)
}
