import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Effect, OutboxEffect, WakeScope } from '#shared/domain/effect.ts'
import type { StoredEffect } from '#shared/ports/call-store.ts'
import type { Change } from '#shared/ports/change.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { performEffect } from './perform-effect.ts'
import { claimWake, sendWake, type WakePorts } from './wake-scope.ts'

type SavePorts = WakePorts & Pick<ServicePorts, 'calls' | 'ids' | 'logger'>

/** What a change of a call needs that may concern its campaign. */
export type CommitPorts = SavePorts & Pick<ServicePorts, 'campaigns'>

/**
 * Saves a decision and performs its effects. What nothing else remembers is part of the save, so a
 * crash in between loses none: the sweep performs what is still stored, and wakes scopes whose orders
 * are due. Returns false when somebody else changed one of the records first; nothing was saved then,
 * and the caller decides afresh.
 */
export async function commitCall(
  ports: SavePorts,
  write: {
    readonly orderId: string
    readonly order?: Change<CallOrder> | undefined
    readonly attempt?: Change<CallAttempt> | undefined
    readonly calledBack?: Change<CallOrder> | undefined
    readonly erasedAttempt?: CallAttempt | undefined
    readonly effects: readonly Effect[]
  },
): Promise<boolean> {
  const createdAt = ports.clock.now()
  const wakes = write.effects.filter((effect) => effect.kind === 'wakeScope')
  const effects = write.effects
    .filter((effect) => effect.kind !== 'wakeScope')
    .map((effect): StoredEffect => ({
      id: effectId(effect),
      // Whoever has done it looks for it with the order that it is about.
      orderId: 'orderId' in effect ? effect.orderId : write.orderId,
      effect,
      createdAt,
    }))
  // Claimed meanwhile: a claim whose wake-up is not sent, or finds nothing, is made good by the sweep.
  const [result, ...claims] = await Promise.all([
    ports.calls.save({
      ...(write.order && { order: write.order }),
      ...(write.attempt && { attempt: write.attempt }),
      ...(write.calledBack && { calledBack: write.calledBack }),
      ...(write.erasedAttempt && { erasedAttempt: write.erasedAttempt }),
      effects,
    }),
    ...wakes.map((wake) => claim(ports, wake)),
  ])
  // One to come that was claimed is waited for by others, even if nothing was saved.
  const isSaved = result.kind === 'saved'
  const claimed = wakes.filter(({ at }, index) => claims[index] && (isSaved || at > createdAt))
  for (const { scope, at } of claimed) await leftToSweep(ports, () => sendWake(ports, scope, at))
  if (!isSaved) return false
  for (const stored of effects) await leftToSweep(ports, () => performEffect(ports, stored))
  return true
}

async function claim(ports: SavePorts, { scope, at }: WakeScope): Promise<boolean> {
  try {
    return await claimWake(ports, scope, at)
  } catch (error) {
    ports.logger.warn('A wake-up is left to the sweep', { scope, error })
    return false
  }
}

async function leftToSweep(ports: SavePorts, perform: () => Promise<void>): Promise<void> {
  try {
    await perform()
  } catch (error) {
    ports.logger.warn('An effect is left to the sweep', { error })
  }
}

/** One effect of a kind per attempt or order needs one name, so that finishing it can erase it. */
function effectId(effect: OutboxEffect): string {
  switch (effect.kind) {
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
