import { EVERY_CALL } from '#shared/domain/call-search/call-filter.ts'
import { organizationScope } from '#shared/domain/scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import {
  cancelCampaign,
  deleteCampaign,
  pauseCampaign,
  resumeCampaign,
} from '#shared/use-cases/change-campaign.ts'
import { cancelCall, pauseCall, resumeCall } from '#shared/use-cases/change-order.ts'
import { createAssistant } from '#shared/use-cases/create-assistant.ts'
import { createCampaign } from '#shared/use-cases/create-campaign.ts'
import { createRecord } from '#shared/use-cases/create-record.ts'
import { findCall } from '#shared/use-cases/find-call.ts'
import { findCampaign, listCampaigns } from '#shared/use-cases/find-campaigns.ts'
import { listCampaignRows } from '#shared/use-cases/list-campaign-rows.ts'
import { placeCall } from '#shared/use-cases/place-call.ts'
import { searchCalls } from '#shared/use-cases/search-calls.ts'
import { suppressNumber } from '#shared/use-cases/suppress-number.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { hash } from '#test/support/campaign-stage.ts'

import type { Action, CallAction, CampaignAction, Change, Owner, Scenario } from './scenario.ts'
import type { SimulatedService } from './simulated-service.ts'

/** What an action was answered with; changes are asked for in its name. */
interface Target {
  readonly kind: 'order' | 'campaign'
  readonly id: string
  readonly owner: Owner
  /** Somebody who is to be called by it. */
  readonly phoneNumber: string
}

/** The owners of two organizations, who do what the scenario says. */
export class Owners {
  readonly #service: SimulatedService
  readonly #scenario: Scenario

  constructor(service: SimulatedService, scenario: Scenario) {
    this.#service = service
    this.#scenario = scenario
  }

  async begin(): Promise<void> {
    for (const owner of this.#scenario.owners) await moveIn(this.#service, owner)
    for (const action of this.#scenario.actions) {
      if (action.kind === 'change') continue
      this.#service.world.in(action.atMs, () => this.#act(action))
    }
  }

  #act(action: Action): void {
    const owner = this.#scenario.owners[action.owner]
    if (owner === undefined) throw new Error('Nobody does that')
    const ports = this.#service.portsFor(this.#service.startFunction(`owner ${action.kind}`))
    this.#perform(ports, owner, action).then(
      (target) => target !== null && this.#goOn(action.id, target),
      (error: unknown) => this.#service.world.note(`${action.kind} failed: ${String(error)}`),
    )
  }

  async #perform(ports: ServicePorts, owner: Owner, action: Action): Promise<Target | null> {
    switch (action.kind) {
      case 'placeCall':
        return this.#placeCall(ports, owner, action)
      case 'createCampaign':
        return this.#createCampaign(ports, owner, action)
      case 'suppress':
        await this.#suppress(ports, owner, action.phoneNumber)
        return null
      case 'allow':
        // It may be called from the moment on at which the owner asks.
        this.#service.ledger.allowed.add(`${owner.id} ${action.phoneNumber}`)
        await ports.suppressions.remove(owner.id, action.phoneNumber)
        return null
      case 'change':
        return null
    }
  }

  /** What the owner asks for after `of` was answered, or after something has become of it. */
  #goOn(of: number, target: Target): void {
    for (const action of this.#scenario.actions) {
      if (action.kind !== 'change' || action.of !== of) continue
      const { world, ledger } = this.#service
      const ask = () => world.in(action.afterMs, () => this.#ask(action, target))
      if (action.after === 'answered') ask()
      else ledger.once(target.id, action.after, ask)
    }
  }

  #ask({ id, what }: Extract<Action, { kind: 'change' }>, target: Target): void {
    const ports = this.#service.portsFor(this.#service.startFunction(`owner ${what}`))
    this.#change(ports, target, what).then(
      (isDone) => isDone && this.#goOn(id, target),
      (error: unknown) => this.#service.world.note(`${what} failed: ${String(error)}`),
    )
  }

  async #placeCall(ports: ServicePorts, owner: Owner, action: CallAction): Promise<Target | null> {
    const { world, ledger } = this.#service
    const placed = await placeCall(ports, {
      organizationId: owner.id,
      isTest: true,
      toPhoneNumber: action.to,
      fromPhoneNumber: null,
      assistant: {
        kind: 'inline',
        settings: assistantSettings({
          callRetryConfig: action.retryConfig,
          webhookUrl: action.hasWebhook ? webhookUrl(owner, 'call') : null,
        }),
      },
      concurrency: action.concurrency,
      forceNow: action.forceNow,
      metadata: {},
      promptVariables: variablesOf(action.timeZone),
      scheduledAt: action.scheduledInMs === null ? null : world.now + action.scheduledInMs,
    })
    if (placed.kind === 'refused') return null
    if (placed.order.status === 'queued_for_calling') {
      ledger.expected.set(placed.order.id, world.now)
    }
    return { kind: 'order', id: placed.order.id, owner, phoneNumber: action.to }
  }

  async #createCampaign(
    ports: ServicePorts,
    owner: Owner,
    action: CampaignAction,
  ): Promise<Target | null> {
    const assistant = await createAssistant(ports, {
      organizationId: owner.id,
      userId: 'user_1',
      settings: assistantSettings({
        callRetryConfig: action.assistantConfig,
        webhookUrl: action.hasWebhook ? webhookUrl(owner, 'call') : null,
      }),
      faqItems: [],
    })
    const created = await createCampaign(ports, {
      organizationId: owner.id,
      isTest: true,
      assistantId: assistant.id,
      name: 'Simulated',
      contacts: {
        kind: 'inline',
        contacts: action.contacts.map(({ to, timeZone }) => ({
          toPhoneNumber: to,
          promptVariables: variablesOf(timeZone),
        })),
      },
      callRetryConfig: action.retryConfig,
      fromPhoneNumber: null,
      maxConcurrentCalls: action.maxConcurrentCalls,
      scheduledAt:
        action.scheduledInMs === null ? null : this.#service.world.now + action.scheduledInMs,
    })
    if (created.kind === 'refused') return null
    const phoneNumber = action.contacts[0]?.to ?? ''
    return { kind: 'campaign', id: created.campaign.id, owner, phoneNumber }
  }

  async #suppress(ports: ServicePorts, owner: Owner, phoneNumber: string): Promise<void> {
    const { ledger, world } = this.#service
    await suppressNumber(ports, { organizationId: owner.id, phoneNumber, reason: null })
    ledger.suppressedAt.set(`${owner.id} ${phoneNumber}`, world.now)
    world.note(`suppressed ${owner.id} ${phoneNumber}`)
  }

  async #change(ports: ServicePorts, target: Target, what: Change): Promise<boolean> {
    const { ledger, world } = this.#service
    const organizationId = target.owner.id
    if (what === 'pry') await this.#pry(ports, target)
    if (what === 'suppress') await this.#suppress(ports, target.owner, target.phoneNumber)
    // A campaign may be dialled from the moment on at which its owner asks.
    if (target.kind === 'campaign' && what === 'resume') ledger.pausedAt.delete(target.id)
    const result = await change(ports, organizationId, target, what)
    world.note(`${what} ${target.id}: ${result}`)
    if (result !== 'done') return false
    if (target.kind === 'order') {
      if (what === 'cancel') ledger.cancelledStep.set(target.id, world.steps)
    } else if (what === 'pause') ledger.pausedAt.set(target.id, world.now)
    else if (what !== 'resume') ledger.overAt.set(target.id, world.now)
    return true
  }

  /** The other owner tries to see and to change what is not theirs. */
  async #pry(ports: ServicePorts, target: Target): Promise<void> {
    const stranger = this.#scenario.owners.find(({ id }) => id !== target.owner.id)
    if (stranger === undefined) return
    const organizationId = stranger.id
    const seen: unknown[] =
      target.kind === 'order'
        ? [await findCall(ports, { organizationId, orderId: target.id })]
        : [
            await findCampaign(ports, { organizationId, campaignId: target.id }),
            await listCampaignRows(ports, {
              organizationId,
              campaignId: target.id,
              page: 1,
              pageSize: 10,
              filter: { query: null, result: null, statuses: null },
              hash,
            }),
          ]
    for (const what of ['pause', 'resume', 'cancel', 'delete'] as const) {
      if (what === 'delete' && target.kind === 'order') continue
      const result = await change(ports, organizationId, target, what)
      seen.push(result === 'not_found' ? null : result)
    }
    seen.push(...(await foreignThings(ports, stranger)))
    if (seen.some((thing) => thing !== null)) {
      this.#service.ledger.violation ??= `Invariant 11 is broken: ${stranger.id} sees ${target.id}`
    }
  }
}

/** An organization with a user, and perhaps a webhook endpoint. */
export async function moveIn({ stores, world }: SimulatedService, owner: Owner): Promise<void> {
  await stores.organizations.bootstrap({
    organization: {
      id: owner.id,
      name: owner.id,
      maxConcurrentCalls: owner.cap,
      defaultFromPhoneNumber: owner.fromPhoneNumber,
      webhookSecrets: [],
      createdAt: world.now,
    },
    user: {
      id: 'user_1',
      organizationId: owner.id,
      email: 'owner@example.com',
      firstName: '',
      lastName: '',
      hasCompletedOnboarding: true,
      createdAt: world.now,
      updatedAt: world.now,
    },
    apiKey: {
      id: `key_${owner.id}`,
      organizationId: owner.id,
      userId: 'user_1',
      hash: owner.id,
      mode: 'test',
      scopes: ['*'],
      createdAt: world.now,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      hint: 'last',
      name: 'A key',
    },
  })
  await stores.calls.registerScope(organizationScope(owner.id))
  if (!owner.hasEndpoint) return
  await createRecord(stores.webhookEndpoints, {
    id: `whep_${owner.id}`,
    organizationId: owner.id,
    url: webhookUrl(owner, 'endpoint'),
    description: null,
    eventKinds: ['call.completed'],
    isEnabled: true,
    createdAt: world.now,
    updatedAt: world.now,
  })
}

/** What an owner's lists show that is somebody else's. */
export async function foreignThings(ports: ServicePorts, owner: Owner): Promise<unknown[]> {
  const organizationId = owner.id
  const calls = await searchCalls(
    ports,
    { organizationId, filter: EVERY_CALL, createdFrom: null, createdTo: null },
    { direction: 'desc', limit: 100, after: null },
  )
  const { campaigns } = await listCampaigns(ports, organizationId, { limit: 100, cursor: null })
  const orders = await ports.calls.findOrders(calls.rows.map(({ id }) => id))
  return [...orders, ...campaigns.map(({ campaign }) => campaign)].filter(
    (record) => record.organizationId !== organizationId,
  )
}

async function change(
  ports: ServicePorts,
  organizationId: string,
  target: Target,
  what: Change,
): Promise<string> {
  const ofOrder = { cancel: cancelCall, pause: pauseCall, resume: resumeCall }
  const ofCampaign = {
    cancel: cancelCampaign,
    pause: pauseCampaign,
    resume: resumeCampaign,
    delete: deleteCampaign,
  }
  if (what === 'pry' || what === 'suppress') return 'nothing'
  if (target.kind === 'campaign') {
    return (await ofCampaign[what](ports, { organizationId, campaignId: target.id })).kind
  }
  if (what === 'delete') return 'nothing'
  return (await ofOrder[what](ports, { organizationId, orderId: target.id })).kind
}

function variablesOf(timeZone: string | null): Readonly<Record<string, string>> {
  return timeZone === null ? {} : { timezone: timeZone }
}

/** Each organization has receivers of its own. */
export function webhookUrl(owner: Pick<Owner, 'id'>, receiver: 'call' | 'endpoint'): string {
  return `https://${owner.id.replace('_', '-')}.example.com/${receiver}`
}
