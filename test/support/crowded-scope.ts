import { organizationScope } from '#shared/domain/scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { changeAttempt } from '#shared/use-cases/change-attempt.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { placeCall } from '#shared/use-cases/place-call.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'

import { ALWAYS } from './an-order.ts'
import { assistantSettings } from './assistant-settings.ts'
import { campaignStage, numberOf } from './campaign-stage.ts'

const ORGANIZATION = 'org_1'
export const SCOPE = organizationScope(ORGANIZATION)
export const KEY_PERMIT = `KEY#${ORGANIZATION}#shop`

/** An organization whose single calls wait behind each other. */
export async function crowdedScope(ports: ServicePorts) {
  await campaignStage(ports)
  await ports.calls.registerScope(SCOPE)
  const place = async (toPhoneNumber: string, concurrency: { key: string; max: number } | null) => {
    const placed = await placeCall(ports, {
      organizationId: ORGANIZATION,
      isTest: true,
      toPhoneNumber,
      fromPhoneNumber: null,
      assistant: { kind: 'inline', settings: assistantSettings({ callRetryConfig: ALWAYS }) },
      concurrency,
      forceNow: false,
      metadata: {},
      promptVariables: {},
      scheduledAt: null,
    })
    if (placed.kind === 'refused') throw new Error(placed.reason)
    return placed.order.id
  }
  return {
    /** Orders to different people under one key of which few may be called at once. */
    placeUnderKey: (count: number, max: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => place(numberOf(index), { key: 'shop', max })),
      ),
    /** Orders to the same person. */
    placeToOne: (count: number) =>
      Promise.all(Array.from({ length: count }, () => place('+12025550177', null))),
    placeFree: () => place('+12025550188', null),
    dispatch: () => dispatchScope(ports, SCOPE),
    /** What the order is doing, and which permit holds it up. */
    async stateOf(orderId: string) {
      const order = await ports.calls.findOrder(orderId)
      return [order?.status, order?.blockedBy]
    },
    /** Dials the first attempt of an order, and the line is busy. */
    async end(orderId: string): Promise<void> {
      const target = { orderId, number: 1 }
      await startAttempt(ports, { ...target, owner: 'runtime', mediaUrl: 'wss://media' })
      await changeAttempt(ports, target, () => ({
        type: 'carrierEnded',
        at: ports.clock.now(),
        cause: { sipCode: 486, reason: null, q850: null, endedBy: 'callee' },
        graceUntil: 0,
      }))
      await concludeAttempt(ports, { orderId, number: 1, isLastChance: true })
    },
  }
}
