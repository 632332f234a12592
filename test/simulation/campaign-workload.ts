import {
  cancelCampaign,
  deleteCampaign,
  pauseCampaign,
  resumeCampaign,
} from '#shared/use-cases/change-campaign.ts'
import { createAssistant } from '#shared/use-cases/create-assistant.ts'
import { createCampaign } from '#shared/use-cases/create-campaign.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'

import { ORGANIZATION, retryConfig, type Promises } from './owner.ts'
import type { SimulatedService } from './simulated-service.ts'
import type { Process, World } from './world.ts'

const CONTACTS: readonly [number, number] = [3, 12]

/** An owner who starts a campaign, and may stop it, let it go on, cancel it or delete it. */
export function startCampaign(service: SimulatedService, promises: Promises): void {
  const { world } = service
  world.in(world.random.between(0, 600_000), () => {
    placeCampaign(service, promises).catch((error: unknown) => {
      world.note(`campaign not accepted: ${String(error)}`)
    })
  })
}

async function placeCampaign(service: SimulatedService, promises: Promises): Promise<void> {
  const { world } = service
  const { random } = world
  const ports = service.portsFor(mortal(service, 'POST /campaigns'))
  const assistant = await createAssistant(ports, {
    organizationId: ORGANIZATION,
    userId: 'user_simulated',
    settings: assistantSettings({ callRetryConfig: retryConfig(world) }),
    faqItems: [],
  })
  const scheduledAt = random.chance(0.2) ? world.now + random.between(1, 86_400) * 1_000 : null
  const created = await createCampaign(ports, {
    organizationId: ORGANIZATION,
    isTest: true,
    assistantId: assistant.id,
    name: 'Simulated',
    contacts: { kind: 'inline', contacts: contacts(world) },
    callRetryConfig: random.chance(0.5) ? retryConfig(world) : null,
    fromPhoneNumber: null,
    maxConcurrentCalls: random.chance(0.5) ? random.between(1, 2) : null,
    scheduledAt,
  })
  if (created.kind === 'created') changeCourse(service, promises, created.campaign.id)
}

function contacts(world: World) {
  const { random } = world
  const one = (toPhoneNumber: string) => ({ toPhoneNumber, promptVariables: {} })
  return [
    one('+12025550105'),
    ...Array.from({ length: random.between(...CONTACTS) }, () =>
      one(random.chance(0.1) ? 'nobody' : `+1202555010${random.between(0, 9)}`),
    ),
  ]
}

function changeCourse(service: SimulatedService, promises: Promises, campaignId: string): void {
  const { world } = service
  const { random } = world
  const target = { organizationId: ORGANIZATION, campaignId }
  const later = () => random.between(1, random.chance(0.5) ? 5_000 : 20_000_000)
  const ask = (what: typeof pauseCampaign, onDone: () => void) => {
    what(service.portsFor(mortal(service, 'owner')), target).then(
      ({ kind }) => kind === 'done' && onDone(),
      () => {},
    )
  }
  const stopped = () => promises.stoppedAt.set(campaignId, world.now)
  if (random.chance(0.4)) {
    world.in(later(), () => {
      ask(pauseCampaign, () => {
        stopped()
        world.in(later(), () => {
          // It may be dialled from the moment on at which the owner asks.
          promises.stoppedAt.delete(campaignId)
          ask(resumeCampaign, () => {})
        })
      })
    })
    return
  }
  if (random.chance(0.3)) world.in(later(), () => ask(cancelCampaign, stopped))
  if (random.chance(0.3)) world.in(later(), () => ask(deleteCampaign, stopped))
}

function mortal({ world, faults }: SimulatedService, name: string): Process {
  const process: Process = { name, isAlive: true }
  if (world.random.chance(faults.kill)) {
    world.in(world.random.between(1, 150), () => (process.isAlive = false))
  }
  return process
}
