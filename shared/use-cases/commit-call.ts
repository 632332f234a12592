import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Effect } from '#shared/domain/effect.ts'
import type { Change, StoredEffect } from '#shared/ports/call-store.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { performEffect } from './perform-effect.ts'

type SavePorts = Pick<
  ServicePorts,
  'calls' | 'wakes' | 'queues' | 'scheduler' | 'clock' | 'ids' | 'logger'
>

/** What a change of a call needs that may concern its campaign. */
export type CommitPorts = SavePorts & Pick<ServicePorts, 'campaigns'>

/**
 * Saves a decision and performs its effects. The effects are part of the save, so a crash in between
 * loses none: the sweep performs what is still stored. Returns false when somebody else changed one
 * of the records first; nothing was saved then, and the caller decides afresh.
 */
export async function commitCall(
  ports: SavePorts,
  write: {
    readonly orderId: string
    readonly order?: Change<CallOrder> | undefined
    readonly attempt?: Change<CallAttempt> | undefined
    readonly erasedAttempt?: CallAttempt | undefined
    readonly effects: readonly Effect[]
  },
): Promise<boolean> {
  const createdAt = ports.clock.now()
  const effects = write.effects.map((effect): StoredEffect => ({
    id: effectId(effect, ports),
    orderId: write.orderId,
    effect,
    createdAt,
  }))
  const result = await ports.calls.save({
    ...(write.order && { order: write.order }),
    ...(write.attempt && { attempt: write.attempt }),
    ...(write.erasedAttempt && { erasedAttempt: write.erasedAttempt }),
    effects,
  })
  if (result.kind === 'conflict') return false
  for (const stored of effects) {
    try {
      await performEffect(ports, stored)
    } catch (error) {
      ports.logger.warn('An effect is left to the sweep', { effectId: stored.id, error })
    }
  }
  return true
}

/** One effect of a kind per attempt or order needs one name, so that finishing it can erase it. */
function effectId(effect: Effect, ports: Pick<ServicePorts, 'ids'>): string {
  switch (effect.kind) {
    case 'wakeScope':
      return ports.ids.next('out')
    case 'startAttempt':
      return `start-${effect.number}`
    case 'concludeAttempt':
      return concludeEffectId(effect.number)
    case 'announce':
      return announceEffectId(effect.event)
  }
}

export function concludeEffectId(number: number): string {
  return `conclude-${number}`
}

export function announceEffectId(event: string): string {
  return `announce-${event}`
}
