import { isDeepStrictEqual } from 'node:util'

import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'
import { createAssistant } from '#shared/use-cases/create-assistant.ts'
import { createCampaign } from '#shared/use-cases/create-campaign.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'

import { NO_FAULTS } from './faults.ts'
import { isInsideWindow, windowOf } from './inside-window.ts'
import { must } from './must.ts'
import { moveIn } from './owners.ts'
import { Prng } from './prng.ts'
import type { Callees, Dial } from './simulated-carrier.ts'
import { SimulatedService } from './simulated-service.ts'
import { World } from './world.ts'

/** A Monday, an hour before the first of the four zones opens. */
const START = Date.parse('2026-10-26T12:00:00Z')
const HOUR_MS = 3_600_000
const DAYS_MAX = 60

const OWNER = {
  id: 'org_large',
  cap: 1_000,
  fromPhoneNumber: '+12025550190',
  hasEndpoint: false,
}

/** Area codes of as many zones. */
const AREAS = {
  'America/New_York': 202,
  'America/Chicago': 312,
  'America/Phoenix': 602,
  'America/Los_Angeles': 206,
}

export const LARGE_CAMPAIGN = {
  zones: Object.keys(AREAS),
  cap: 200,
  retryConfig: {
    allowedDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    callTwiceInARow: false,
    callingWindows: [
      { callingWindowStartTime: '09:00', callingWindowEndTime: '12:30', retryDelaySeconds: 7_200 },
      { callingWindowStartTime: '14:00', callingWindowEndTime: '18:00', retryDelaySeconds: 10_800 },
    ],
    maxRetryAttempts: 3,
  } satisfies CallRetryConfig,
  callees: {
    answered: 0.35,
    results: ['human'],
    refusals: [486, 480, 503],
    decideMs: [1_000, 25_000],
    talkMs: [20_000, 100_000],
  } satisfies Callees,
  startAt: START,
} as const

export interface LargeCampaignReport {
  readonly rows: number
  readonly dials: number
  readonly reached: number
  readonly most_calls_at_once: number
  readonly scheduler_entries: number
  readonly finished_at: string
  readonly virtual_hours: number
  readonly steps: number
  readonly wall_secs: number
  readonly peak_rss_mb: number
}

/**
 * Runs a campaign to its end on the virtual clock, by the production use cases with the stores in
 * memory, and checks every row of it. Throws when a rule is broken.
 */
export async function runLargeCampaign(rows: number): Promise<LargeCampaignReport> {
  const startedAt = performance.now()
  const world = new World(new Prng(rows), START, { keepsLog: false })
  const service = new SimulatedService(world, {
    faults: NO_FAULTS,
    trunk: { id: 'trunk', maxConcurrentCalls: 1_000, callsPerSecond: 50 },
    callees: LARGE_CAMPAIGN.callees,
    isUnreliable: false,
  })
  await moveIn(service, OWNER)
  const campaignId = await create(service, rows)
  let mostAtOnce = 0
  world.afterStep = () => {
    mostAtOnce = Math.max(mostAtOnce, service.carrier.live.size)
  }
  const { campaigns } = service.stores
  const isOver = async () => (await campaigns.find(campaignId))?.status === 'completed'
  for (let hour = 0; !(await isOver()); hour += 1) {
    must(hour < DAYS_MAX * 24, 6, 'the campaign does not come to its end')
    await world.run(world.now + HOUR_MS)
  }
  must(mostAtOnce <= LARGE_CAMPAIGN.cap, 4, `${mostAtOnce} calls at once`)
  const reached = await checkRows(service, campaignId, rows)
  const { dials } = service.carrier
  const finishedAt = dials.reduce((last, { endedAt }) => Math.max(last, endedAt ?? 0), START)
  return {
    rows,
    dials: dials.length,
    reached,
    most_calls_at_once: mostAtOnce,
    scheduler_entries: service.queues.scheduled,
    finished_at: new Date(finishedAt).toISOString(),
    virtual_hours: Number(((finishedAt - START) / HOUR_MS).toFixed(2)),
    steps: world.steps,
    wall_secs: Number(((performance.now() - startedAt) / 1_000).toFixed(1)),
    peak_rss_mb: Math.round(process.resourceUsage().maxRSS / 1_024),
  }
}

async function create(service: SimulatedService, rows: number): Promise<string> {
  const ports = service.portsFor(service.startFunction('the owner'))
  const assistant = await createAssistant(ports, {
    organizationId: OWNER.id,
    userId: 'user_1',
    settings: assistantSettings(),
    faqItems: [],
  })
  const created = await createCampaign(ports, {
    organizationId: OWNER.id,
    isTest: true,
    assistantId: assistant.id,
    name: 'Large',
    contacts: {
      kind: 'inline',
      contacts: Array.from({ length: rows }, (_, index) => ({
        toPhoneNumber: numberOf(index),
        promptVariables: { first_name: `Person ${index}` },
      })),
    },
    callRetryConfig: LARGE_CAMPAIGN.retryConfig,
    fromPhoneNumber: null,
    maxConcurrentCalls: LARGE_CAMPAIGN.cap,
    scheduledAt: null,
  })
  if (created.kind === 'refused') throw new Error(created.reason)
  return created.campaign.id
}

/** Everybody has a number of their own; the zones take turns. */
function numberOf(index: number): string {
  const areas = Object.values(AREAS)
  const area = areas[index % areas.length]
  return `+1${area}${2_000_000 + Math.floor(index / areas.length)}`
}

/** How many people were reached. */
async function checkRows(
  service: SimulatedService,
  campaignId: string,
  rows: number,
): Promise<number> {
  const { stores, ledger, carrier } = service
  const orders = await stores.calls.findOrders([...(ledger.rows.get(campaignId) ?? [])])
  must(orders.length === rows, 10, `${orders.length} orders of ${rows} rows`)
  const dialsOf = Map.groupBy(carrier.dials, ({ request }) => request.orderId)
  let reached = 0
  for (const order of orders) {
    const call = await stores.calls.findCall(order.id)
    const dials = dialsOf.get(order.id) ?? []
    must(call?.attempts.length === dials.length, 2, `${order.id}: ${dials.length} dials`)
    checkRow(order, dials)
    if (order.lastAttempt?.result === 'human') reached += 1
  }
  const stats = await stores.calls.rowStats(campaignId)
  const counted = { calling: 0, completed: rows, failed: 0, pending: 0, retry: 0, total: rows }
  must(isDeepStrictEqual(stats, counted), 10, JSON.stringify(stats))
  return reached
}

function checkRow(order: CallOrder, dials: readonly Dial[]): void {
  const { id, lastAttempt, timeZones, retryConfig } = order
  const [zone = 'UTC'] = timeZones
  must(order.status === 'completed', 6, `${id} is ${order.status}`)
  const isSpent = dials.length === retryConfig.maxRetryAttempts
  must(isSpent || lastAttempt?.result === 'human', 3, `${id} ended after ${dials.length} dials`)
  must(dials.length <= retryConfig.maxRetryAttempts, 3, `${id} has ${dials.length} dials`)
  for (const [index, dial] of dials.entries()) {
    must(isInsideWindow(retryConfig, zone, dial.askedAt), 1, `${id} was dialled outside`)
    const before = dials[index - 1]
    if (before === undefined) continue
    must(before.answeredAt === null, 2, `${id} was called again though a person was reached`)
    const delaySecs = windowOf(retryConfig, zone, before.askedAt)?.retryDelaySeconds ?? 0
    const earliest = (before.endedAt ?? Infinity) + delaySecs * 1_000
    must(dial.askedAt >= earliest, 14, `${id} was called again too early`)
  }
}
