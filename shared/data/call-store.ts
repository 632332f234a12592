import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { CallStore, StoredEffect } from '#shared/ports/call-store.ts'
import type { Change } from '#shared/ports/change.ts'

import { assistantOrders } from './assistant-orders.ts'
import { blockedOrders } from './blocked-orders.ts'
import { attemptFrom, attemptWrites, orderFrom, orderWrites } from './call-records.ts'
import { campaignOrders } from './campaign-orders.ts'
import {
  deleteItem,
  eraseIfVersion,
  garbageIn,
  getItem,
  put,
  putItem,
  queryRange,
  queryTimeline,
  transact,
  updateIf,
} from './dynamo-table.ts'
import type { DynamoTable, Item, Write } from './dynamo-table.ts'
import { attemptIndexKeys, effectIndexKeys, timelines } from './index-keys.ts'
import { retryPending, retryPendingWrites } from './retry-pending.ts'
import { countingWrites } from './row-counters.ts'
import { pack, readUntorn, TORN } from './stored-record.ts'
import { attemptKeys, orderKeys, scopeKeys } from './table.ts'

/** Live transcript lines are of no use once the attempt has ended. */
const LINE_DAYS = 7

/** The call store on DynamoDB. */
export function dynamoCallStore(table: DynamoTable): CallStore {
  return {
    findOrder: (orderId) =>
      readUntorn(async () => orderFrom(await queryRange(table, orderKeys.order(orderId)))),
    findCall: (orderId) => readUntorn(() => findCall(table, orderId)),
    findAttempt: (orderId, number) =>
      readUntorn(async () =>
        attemptFrom(await queryRange(table, attemptKeys.attempt(orderId, number))),
      ),
    save: async ({ order, calledBack, attempt, erasedAttempt, effects }) =>
      transact(table, [
        ...(order === undefined ? [] : await changeWrites(order)),
        ...(calledBack === undefined ? [] : await changeWrites(calledBack)),
        ...(attempt === undefined ? [] : await attemptWrites(attempt)),
        ...(erasedAttempt === undefined ? [] : [eraseAttempt(erasedAttempt)]),
        ...effects.map(effectWrite),
      ]),
    ...waitingOrders(table),
    ...blockedOrders(table),
    ...retryPending(table),
    ...assistantOrders(table),
    ...campaignOrders(table),
    ...leases(table),
    ...outbox(table),
    appendTranscript: async (orderId, number, index, entry) =>
      putItem(table, {
        ...attemptKeys.line(orderId, number, index),
        number,
        part: 'line',
        entry: await pack(entry),
        ttl: garbageIn(LINE_DAYS),
      }),
  }
}

/** A change of an order with all that is kept in step with it. */
async function changeWrites(change: Change<CallOrder>): Promise<Write[]> {
  return [...(await orderWrites(change)), ...countingWrites(change), ...retryPendingWrites(change)]
}

/** What nobody has dialled has said nothing: a head is all there is of it. */
function eraseAttempt({ orderId, number, version }: CallAttempt): Write {
  return eraseIfVersion(attemptKeys.head(orderId, number), version)
}

/** One query of the order's partition; the order's own items carry no number. */
async function findCall(table: DynamoTable, orderId: string) {
  const items = await queryRange(table, orderKeys.call(orderId))
  const { 0: orderItems = [], ...attempts } = Object.groupBy(items, itemNumber)
  const order = await orderFrom(orderItems)
  if (order === null || order === TORN) return order
  const found: CallAttempt[] = []
  for (const attemptItems of Object.values(attempts)) {
    const attempt = await attemptFrom(attemptItems ?? [])
    if (attempt === TORN) return TORN
    if (attempt !== null) found.push(attempt)
  }
  return { order, attempts: found.sort((one, other) => one.number - other.number) }
}

function itemNumber(item: Item): number {
  return (item['number'] as number | undefined) ?? 0
}

function waitingOrders(
  table: DynamoTable,
): Pick<CallStore, 'listDue' | 'nextDueAt' | 'listScopes' | 'registerScope'> {
  const query = async (scope: string, options: { before?: number; limit: number }) => {
    const items = await queryTimeline(table, timelines.waiting(scope), options)
    return items.map((item) => ({ orderId: item['id'] as string, dueAt: item['dueAt'] as number }))
  }
  return {
    listDue: (scope, until, limit) => query(scope, { before: until + 1, limit }),
    nextDueAt: async (scope) => (await query(scope, { limit: 1 }))[0]?.dueAt ?? null,
    listScopes: async () =>
      (await queryRange(table, scopeKeys.all())).map(({ sk }) => sk as string),
    registerScope: (scope) => putItem(table, scopeKeys.scope(scope)),
  }
}

function leases(table: DynamoTable): Pick<CallStore, 'listExpiredLeases' | 'extendLease'> {
  return {
    listExpiredLeases: async (now, limit) => {
      const items = await queryTimeline(table, timelines.leases, { before: now + 1, limit })
      const targets = items.map((item) => ({
        orderId: item['orderId'] as string,
        number: item['number'] as number,
      }))
      const isExpired = await Promise.all(
        targets.map(async ({ orderId, number }) => {
          const head = await getItem(table, attemptKeys.head(orderId, number))
          const leaseUntil = head?.['leaseUntil']
          return typeof leaseUntil === 'number' && leaseUntil <= now
        }),
      )
      return targets.filter((_, index) => isExpired[index])
    },
    extendLease: (orderId, number, fence, leaseUntil) => {
      const { gsi3pk, gsi3sk } = attemptIndexKeys({ orderId, number, leaseUntil })
      return updateIf(table, {
        key: attemptKeys.head(orderId, number),
        // The version too: whoever decided on the old lease must look again.
        update: 'SET leaseUntil = :until, gsi3pk = :pk, gsi3sk = :sk, #version = #version + :one',
        condition: 'fence = :fence AND attribute_type(leaseUntil, :isNumber)',
        names: { '#version': 'version' },
        values: {
          ':until': leaseUntil,
          ':pk': gsi3pk,
          ':sk': gsi3sk,
          ':one': 1,
          ':fence': fence,
          ':isNumber': 'N',
        },
      })
    },
  }
}

function effectWrite(stored: StoredEffect): Write {
  return put({
    ...orderKeys.effect(stored.orderId, stored.id),
    ...effectIndexKeys(stored),
    ...stored,
  })
}

function outbox(table: DynamoTable): Pick<CallStore, 'listUndone' | 'markDone'> {
  return {
    listUndone: async (createdBefore, limit) => {
      const options = { before: createdBefore, limit }
      const items = await queryTimeline(table, timelines.outbox, options)
      return items.map((item) => ({
        id: item['id'] as string,
        orderId: item['orderId'] as string,
        effect: item['effect'] as StoredEffect['effect'],
        createdAt: item['createdAt'] as number,
      }))
    },
    markDone: ({ orderId, id }) => deleteItem(table, orderKeys.effect(orderId, id)),
  }
}
