import type { Share, Turns, Waiter } from '#shared/domain/turns.ts'
import type { TurnStore } from '#shared/ports/turn-store.ts'

import {
  deleteItem,
  garbageIn,
  putItem,
  queryRange,
  updateIf,
  type DynamoTable,
  type Item,
} from './dynamo-table.ts'
import { attributesOf } from './stored-record.ts'
import { turnKeys } from './table.ts'

/** Whoever waits is seen every minute; what is older was left behind. */
const UNUSED_DAYS = 1

/** Turns on DynamoDB: one item for each scope that waits, and one for each party's share. */
export function dynamoTurns(table: DynamoTable): TurnStore {
  return {
    find: async (permit) => turnsFrom(await queryRange(table, turnKeys.all(permit))),
    wait: async (permit, { scope, party, isServed, now }) => {
      const since = isServed ? ':now' : 'if_not_exists(since, :now)'
      await updateIf(table, {
        key: turnKeys.waiter(permit, scope),
        update: `SET #scope = :scope, party = :party, since = ${since}, seenAt = :now, #ttl = :ttl`,
        condition: 'attribute_not_exists(seenAt) OR seenAt <= :now',
        names: { '#scope': 'scope', '#ttl': 'ttl' },
        values: { ':scope': scope, ':party': party, ':now': now, ':ttl': garbageIn(UNUSED_DAYS) },
      })
    },
    leave: (permit, scope) => deleteItem(table, turnKeys.waiter(permit, scope)),
    begin: (permit, share) =>
      putItem(table, {
        ...turnKeys.share(permit, share.party),
        ...share,
        ttl: garbageIn(UNUSED_DAYS),
      }),
    serve: async (permit, party, { calls, now }) => {
      await updateIf(table, {
        key: turnKeys.share(permit, party),
        update: 'SET lastAt = :now ADD calls :calls',
        condition: 'attribute_exists(pk)',
        values: { ':now': now, ':calls': calls },
      })
    },
  }
}

function turnsFrom(items: readonly Item[]): Turns {
  const [waiters, shares] = [
    items.filter(({ seenAt }) => seenAt !== undefined),
    items.filter(({ lastAt }) => lastAt !== undefined),
  ]
  return {
    waiters: waiters.map((item) => attributesOf(item) as unknown as Waiter),
    shares: shares.map((item) => attributesOf(item) as unknown as Share),
  }
}
