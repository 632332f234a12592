import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Stores } from '#shared/ports/service-ports.ts'

import { anAttempt } from './an-attempt.ts'
import { anOrder } from './an-order.ts'

/** Stores orders that need not wait for anything, each with the attempts given. */
export async function seedCalls(
  stores: Pick<Stores, 'calls'>,
  calls: readonly (Partial<CallOrder> & {
    readonly id: string
    readonly attempts?: readonly Partial<CallAttempt>[]
  })[],
): Promise<void> {
  for (const { attempts = [], ...changes } of calls) {
    const order = anOrder({ dueAt: null, status: 'completed', ...changes })
    const write = { order: { before: null, after: order }, effects: [] }
    if ((await stores.calls.save(write)).kind === 'conflict') throw new Error(`Twice: ${order.id}`)
    for (const [index, attempt] of attempts.entries()) {
      const after = anAttempt({ orderId: order.id, number: index + 1, ...attempt })
      await stores.calls.save({ attempt: { before: null, after }, effects: [] })
    }
  }
}

/** The id of a call by its place in time. */
export function callId(index: number): string {
  return `call_${String(index).padStart(26, '0')}`
}
