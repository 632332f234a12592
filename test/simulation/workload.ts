import type { AssistantSettings } from '#shared/domain/assistant.ts'
import { organizationScope } from '#shared/domain/scope.ts'
import { cancelCall, pauseCall, resumeCall } from '#shared/use-cases/change-order.ts'
import { placeCall } from '#shared/use-cases/place-call.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'

import { startCampaign } from './campaign-workload.ts'
import { ORGANIZATION, retryConfig, type Promises } from './owner.ts'
import type { SimulatedService } from './simulated-service.ts'
import type { Process, World } from './world.ts'

export const ORGANIZATION_CAP = 3
const CAMPAIGN = 0.7
const ORDERS: readonly [number, number] = [4, 10]

/** An owner who places a few orders and changes their mind about some of them. */
export async function startWorkload(service: SimulatedService): Promise<Promises> {
  const { world } = service
  await service.stores.organizations.bootstrap({
    organization: {
      id: ORGANIZATION,
      name: 'Simulated',
      maxConcurrentCalls: ORGANIZATION_CAP,
      defaultFromPhoneNumber: '+12025550199',
      webhookSecrets: [],
      createdAt: world.now,
    },
    user: {
      id: 'user_simulated',
      organizationId: ORGANIZATION,
      email: 'owner@example.com',
      firstName: '',
      lastName: '',
      hasCompletedOnboarding: true,
      createdAt: world.now,
      updatedAt: world.now,
    },
    apiKey: {
      id: 'key_simulated',
      organizationId: ORGANIZATION,
      userId: 'user_simulated',
      hash: 'hash',
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
  await service.stores.calls.registerScope(organizationScope(ORGANIZATION))
  const promises: Promises = { cancelledAt: new Map(), stoppedAt: new Map() }
  const orders = world.random.between(...ORDERS)
  for (let index = 0; index < orders; index += 1) {
    world.in(world.random.between(0, 600_000), () => {
      placeOrder(service, promises).catch((error: unknown) => {
        world.note(`not accepted: ${String(error)}`)
      })
    })
  }
  if (world.random.chance(CAMPAIGN)) startCampaign(service, promises)
  return promises
}

async function placeOrder(service: SimulatedService, promises: Promises): Promise<void> {
  const { world } = service
  const { random } = world
  const process: Process = { name: 'POST /call', isAlive: true }
  if (random.chance(service.faults.kill)) {
    world.in(random.between(1, 60), () => (process.isAlive = false))
  }
  const scheduledAt = random.chance(0.2) ? world.now + random.between(1, 86_400) * 1_000 : null
  const placed = await placeCall(service.portsFor(process), {
    organizationId: ORGANIZATION,
    isTest: true,
    // Few numbers, so that orders for the same person meet.
    toPhoneNumber: `+1202555010${random.between(0, 4)}`,
    fromPhoneNumber: null,
    assistant: { kind: 'inline', settings: settings(world) },
    concurrency: random.chance(0.3) ? { key: 'key', max: random.between(1, 2) } : null,
    forceNow: scheduledAt === null && random.chance(0.2),
    metadata: {},
    promptVariables: {},
    scheduledAt,
  })
  if (placed.kind === 'placed') changeMind(service, promises, placed.order.id)
}

function changeMind(service: SimulatedService, promises: Promises, orderId: string): void {
  const { world } = service
  const target = { organizationId: ORGANIZATION, orderId }
  // Half of the changes meet the order on its way to the first dial, where the races are.
  const later = () => world.random.between(1, world.random.chance(0.5) ? 1_500 : 20_000_000)
  const ask = (what: typeof cancelCall, onDone: () => void) => {
    what(service.portsFor({ name: 'owner', isAlive: true }), target).then(
      ({ kind }) => kind === 'done' && onDone(),
      () => {},
    )
  }
  if (world.random.chance(0.2)) {
    world.in(later(), () => ask(cancelCall, () => promises.cancelledAt.set(orderId, world.now)))
  }
  if (world.random.chance(0.2)) {
    world.in(later(), () => {
      ask(pauseCall, () => {
        world.in(later(), () => ask(resumeCall, () => {}))
      })
    })
  }
}

function settings(world: World): AssistantSettings {
  return assistantSettings({
    callRetryConfig: retryConfig(world),
    webhookUrl: world.random.chance(0.8) ? 'https://example.com/hook' : null,
  })
}
