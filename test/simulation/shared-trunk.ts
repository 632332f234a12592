import { SWEEP_INTERVAL_MS } from '#shared/domain/lease.ts'
import type { QueueMessages, QueueName } from '#shared/ports/queues.ts'
import type { DialRequest } from '#shared/ports/telephony.ts'
import { applyCarrierEvent } from '#shared/use-cases/apply-carrier-event.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { createAssistant } from '#shared/use-cases/create-assistant.ts'
import { createCampaign } from '#shared/use-cases/create-campaign.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { sweep } from '#shared/use-cases/sweep.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { ALWAYS } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { hash } from '#test/support/campaign-stage.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

import { Prng } from './prng.ts'
import { World } from './world.ts'

const START = Date.parse('2026-11-18T15:00:00Z')
/** How long a message is on its way. */
const MESSAGE_MS = 50
/** Every call rings so long and is not answered. */
const CALL_MS = 25_000

export interface Trunk {
  readonly maxConcurrentCalls: number
  readonly callsPerSecond: number
}

/** Organizations that run campaigns on one trunk, in virtual time and without faults. */
export class SharedTrunk {
  readonly world = new World(new Prng(1), START, { keepsLog: false })
  readonly #ports = useCasePorts(START).ports
  /** By organization: when its calls ended, in epoch ms. */
  readonly #endings = new Map<string, number[]>()
  #mostAtOnce = 0
  #live = 0

  constructor(trunk: Trunk) {
    const { world } = this
    const later = (delayMs: number, work: () => Promise<unknown>) =>
      world.in(delayMs, () => void work())
    Object.assign(this.#ports, {
      clock: { now: () => world.now },
      queues: {
        send: async <Q extends QueueName>(
          queue: Q,
          message: QueueMessages[Q],
          { delaySecs = 0 }: { readonly delaySecs?: number } = {},
        ) => later(delaySecs * 1_000 + MESSAGE_MS, () => this.#receive(queue, message)),
      },
      telephony: { dial: async (request: DialRequest) => this.#dial(request) },
      limits: { trunk: { id: 'trunk', ...trunk }, ringTimeoutSecs: 30 },
    })
    const tick = () => {
      later(0, () => sweep(this.#ports))
      world.in(SWEEP_INTERVAL_MS, tick)
    }
    tick()
  }

  get mostAtOnce(): number {
    return this.#mostAtOnce
  }

  /** How many calls of an organization have ended. */
  ended(organizationId: string): number {
    return this.#endings.get(organizationId)?.length ?? 0
  }

  /** Starts a campaign of so many rows, each called once. */
  async startCampaign(organizationId: string, rows: number): Promise<void> {
    const ports = this.#ports
    await ports.organizations.bootstrap(ownerOf(organizationId))
    const assistant = await createAssistant(ports, {
      organizationId,
      userId: 'user',
      settings: assistantSettings({ callRetryConfig: { ...ALWAYS, maxRetryAttempts: 1 } }),
      faqItems: [],
    })
    const contacts = Array.from({ length: rows }, (_, index) => ({
      toPhoneNumber: `+1202${String(2_000_000 + index)}`,
      promptVariables: { timezone: 'America/New_York' },
    }))
    const created = await createCampaign(ports, {
      organizationId,
      isTest: true,
      assistantId: assistant.id,
      name: organizationId,
      contacts: { kind: 'inline', contacts },
      callRetryConfig: null,
      fromPhoneNumber: null,
      maxConcurrentCalls: null,
      scheduledAt: null,
    })
    if (created.kind === 'refused') throw new Error(created.reason)
  }

  /** Lets time pass until an organization has made so many calls; how long that took, in ms. */
  async untilEnded(organizationId: string, calls: number): Promise<number> {
    const from = this.world.now
    while (this.ended(organizationId) < calls) {
      if (this.world.now > from + 86_400_000) throw new Error('It takes longer than a day')
      await this.world.run(this.world.now + 1_000)
    }
    return (this.#endings.get(organizationId)?.[calls - 1] ?? Infinity) - from
  }

  async #receive(queue: QueueName, message: QueueMessages[QueueName]): Promise<void> {
    const ports = this.#ports
    if (queue === 'import' && 'campaignId' in message) {
      await workOnCampaign(ports, { ...message, hash })
    }
    if (queue === 'dispatch' && 'scope' in message) await dispatchScope(ports, message.scope)
    if (!('number' in message)) return
    const target = { orderId: message.orderId, number: message.number }
    if (queue === 'call-start') {
      await startAttempt(ports, { ...target, owner: 'runtime', mediaUrl: 'wss://media' })
    }
    if (queue === 'post-call') await concludeAttempt(ports, { ...target, isLastChance: false })
  }

  #dial(request: DialRequest) {
    const { world } = this
    const { orderId, number, attemptId } = request
    this.#live += 1
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#live)
    const carrierCallId = `sim-${attemptId}`
    world.in(CALL_MS, () => {
      this.#live -= 1
      void this.#end({ orderId, number, attemptId, carrierCallId })
    })
    return { kind: 'placed', carrierCallId }
  }

  async #end(call: {
    readonly orderId: string
    readonly number: number
    readonly attemptId: string
    readonly carrierCallId: string
  }): Promise<void> {
    const at = this.world.now
    const order = await this.#ports.calls.findOrder(call.orderId)
    const endings = this.#endings.get(order?.organizationId ?? '') ?? []
    this.#endings.set(order?.organizationId ?? '', [...endings, at])
    const cause = { sipCode: 408, reason: null, q850: null, endedBy: 'carrier' } as const
    await applyCarrierEvent(this.#ports, { ...call, at, event: { type: 'ended', cause } })
  }
}

function ownerOf(organizationId: string) {
  const owned = { organizationId, createdAt: START }
  return {
    organization: {
      id: organizationId,
      name: organizationId,
      maxConcurrentCalls: 1_000,
      defaultFromPhoneNumber: '+12025550199',
      webhookSecrets: [],
      createdAt: START,
    },
    user: {
      ...owned,
      id: `user_${organizationId}`,
      email: 'owner@example.com',
      firstName: '',
      lastName: '',
      hasCompletedOnboarding: true,
      updatedAt: START,
    },
    apiKey: {
      ...owned,
      id: `key_${organizationId}`,
      userId: `user_${organizationId}`,
      name: 'A key',
      hash: organizationId,
      hint: 'last',
      mode: 'test' as const,
      scopes: ['*'],
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    },
  }
}
