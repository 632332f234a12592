import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { sharedPermits, trunkPermit, type PermitClaim } from '#shared/domain/permit-scope.ts'
import { campaignOfScope, organizationOfScope } from '#shared/domain/scope.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { AssistantStore } from '#shared/ports/assistant-store.ts'
import type { ServiceLimits, ServicePorts } from '#shared/ports/service-ports.ts'

import { admitOrder, putOff, type Admission, type AdmitPorts } from './admit-order.ts'
import { campaignGate, type CampaignGate } from './campaign-gate.ts'
import { letFollow } from './follow-campaign.ts'
import { inParallel } from './in-parallel.ts'
import {
  callAtPace,
  callNext,
  countServed,
  findStandings,
  leaveTurns,
  waitFor,
  type Candidate,
  type Standing,
} from './take-turn.ts'
import { wakeScope } from './wake-scope.ts'

/** How many due orders one dispatch looks at; the rest is left to the next one. */
const ORDERS_PER_DISPATCH = 100

/** After so many orders everything that concerns all of them is read again: it may have changed. */
const ORDERS_PER_LOOK = 25
const ORDERS_AT_ONCE = 8

/** An order on which our own code fails is tried again so much later, out of the way of the others. */
const FAULT_DELAY_MS = 600_000

export type DispatchPorts = AdmitPorts &
  Pick<ServicePorts, 'assistants' | 'organizations' | 'pacing' | 'limits'>

/**
 * Admits what may be called now among a scope's waiting orders, and asks to be woken for the next
 * one. Any number of dispatches of the same scope may run at once.
 */
export async function dispatchScope(
  ports: DispatchPorts,
  scope: string,
): Promise<{ readonly admitted: number }> {
  await ports.wakes.clearNow(scope)
  const lookedAt = ports.clock.now()
  const due = await ports.calls.listDue(scope, lookedAt, ORDERS_PER_DISPATCH)
  const run: Run = { scope, left: due.map(({ orderId }) => orderId), admitted: 0, moved: 0 }
  const isDrained = await admitDue(ports, run)
  const { admitted, moved } = run
  // Each of those has left the front of the line, so that this comes to an end.
  const goesOn = isDrained && due.length === ORDERS_PER_DISPATCH && admitted + moved > 0
  if (goesOn) {
    await wakeScope(ports, scope, ports.clock.now())
  } else if (isDrained) {
    const nextDueAt = await ports.calls.nextDueAt(scope)
    // One that has become due since the look was not seen by it.
    const isUnseen = nextDueAt !== null && nextDueAt > lookedAt
    if (isUnseen) await wakeScope(ports, scope, nextDueAt)
  }
  return { admitted }
}

/** One dispatch. */
interface Run {
  readonly scope: string
  /** Due orders that were not dealt with yet. */
  readonly left: string[]
  admitted: number
  moved: number
}

/** False when orders are left that cannot be called now, whatever they are. */
async function admitDue(ports: DispatchPorts, run: Run): Promise<boolean> {
  /** Where this run waits. Once it does it looks again, for what was given back before is not heard. */
  const waits = new Set<string>()
  for (;;) {
    const look = await lookAt(ports, run)
    const { standings } = look
    if (look.kind === 'closed' || run.left.length === 0) {
      await leaveTurns(ports, run.scope, standings)
      return look.kind === 'open'
    }
    const obstacle = obstacleOf(standings) ?? (await admitSome(ports, run, look))
    if (obstacle === null) continue
    const { permit } = obstacle.at
    await waitFor(ports, look.candidate, { ...obstacle.at, isServed: run.admitted > 0 })
    if (obstacle.until === null && !waits.has(permit)) {
      waits.add(permit)
      continue
    }
    if (obstacle.until !== null) await callAtPace(ports, permit, obstacle.until)
    else if (obstacle.at.isOthersTurn) await callNext(ports, permit)
    const others = standings.filter((standing) => standing.permit !== permit)
    await leaveTurns(ports, run.scope, others)
    return false
  }
}

/** What keeps the rest of a scope waiting: a permit without room, or the pace of the trunk. */
interface Obstacle {
  readonly at: Standing
  /** Epoch ms, where it is known. */
  readonly until: number | null
}

function obstacleOf(standings: readonly Standing[]): Obstacle | null {
  const at = standings.find(({ room }) => room === 0)
  return at === undefined ? null : { at, until: null }
}

type Look =
  | {
      readonly kind: 'open'
      readonly candidate: Candidate
      readonly shared: readonly PermitClaim[]
      readonly standings: readonly Standing[]
      readonly defaultFromPhoneNumber: string
    }
  /** Nothing of the scope may be called. */
  | { readonly kind: 'closed'; readonly standings: readonly Standing[] }

/** Reads what concerns all orders of a scope. Orders of a campaign that is over are cancelled. */
async function lookAt(ports: DispatchPorts, { scope, left }: Run): Promise<Look> {
  const campaignId = campaignOfScope(scope)
  const gate = campaignId === null ? null : await campaignGate(ports, campaignId)
  if (gate?.kind === 'over') {
    for (const order of await ports.calls.findOrders(left.slice(0, ORDERS_PER_LOOK))) {
      await letFollow(ports, gate.campaign, order)
    }
  }
  const organizationId = organizationOf(scope, gate)
  const organization =
    organizationId === null ? null : await ports.organizations.findOrganization(organizationId)
  if (organization === null) return { kind: 'closed', standings: [] }
  const { trunk } = ports.limits
  const candidate = { scope, organizationId: organization.id }
  const shared = sharedPermits({
    organization: { id: organization.id, cap: organization.maxConcurrentCalls },
    trunk: { id: trunk.id, cap: trunk.maxConcurrentCalls },
    campaign:
      gate?.campaign == null
        ? null
        : { id: gate.campaign.id, cap: gate.campaign.maxConcurrentCalls },
  })
  const standings = await findStandings(ports, candidate, shared)
  if (gate !== null && gate.kind !== 'open') return { kind: 'closed', standings }
  const { defaultFromPhoneNumber } = organization
  return { kind: 'open', candidate, shared, standings, defaultFromPhoneNumber }
}

function organizationOf(scope: string, gate: CampaignGate | null): string | null {
  return gate === null ? organizationOfScope(scope) : (gate.campaign?.organizationId ?? null)
}

/** Admits as many orders as there is room for; what stands in the way of the others, if anything. */
async function admitSome(
  ports: DispatchPorts,
  run: Run,
  look: Extract<Look, { readonly kind: 'open' }>,
): Promise<Obstacle | null> {
  const { standings, candidate } = look
  const room = Math.min(ORDERS_PER_LOOK, ...standings.map((standing) => standing.room))
  const wanted = Math.min(run.left.length, room)
  const pace = paceOf(ports.limits.trunk)
  const now = ports.clock.now()
  const { taken, until } = await ports.pacing.take({ ...pace, count: wanted, now })
  const admissions = await admitEach(ports, run.left.splice(0, taken), look)
  const admitted = admissions.filter(({ kind }) => kind === 'admitted').length
  run.admitted += admitted
  run.moved += admissions.filter(({ kind }) => kind === 'moved').length
  if (admitted > 0) await countServed(ports, candidate, { standings, calls: admitted })
  if (admitted < taken) await ports.pacing.giveBack({ ...pace, count: taken - admitted })
  const full = admissions.filter((admission) => admission.kind === 'full')
  run.left.unshift(...full.map(({ orderId }) => orderId))
  const permit = full[0]?.permit ?? (taken < wanted ? trunkPermit(pace.trunk) : null)
  const at = standings.find((standing) => standing.permit === permit)
  return at === undefined ? null : { at, until: full.length > 0 ? null : until }
}

function paceOf(trunk: ServiceLimits['trunk']) {
  return { trunk: trunk.id, perSecond: trunk.callsPerSecond, burst: trunk.callsPerSecond }
}

async function admitEach(
  ports: DispatchPorts,
  orderIds: readonly string[],
  look: Extract<Look, { readonly kind: 'open' }>,
): Promise<(Admission & { readonly orderId: string })[]> {
  const assistants = rememberingAssistants(ports.assistants)
  const admissions: (Admission & { readonly orderId: string })[] = []
  const orders = await ports.calls.findOrders(orderIds)
  await inParallel(orders, ORDERS_AT_ONCE, async (order) => {
    const admission = await admitSafely(ports, { ...look, order, assistants })
    admissions.push({ ...admission, orderId: order.id })
  })
  return admissions
}

/** Nobody waits behind an order for which our own code has no answer. */
async function admitSafely(
  ports: DispatchPorts,
  input: Parameters<typeof admitOrder>[1] & { readonly order: CallOrder },
): Promise<Admission> {
  try {
    return await admitOrder(ports, input)
  } catch (error) {
    if (error instanceof AdapterError) throw error
    ports.logger.error('An order cannot be admitted', { orderId: input.order.id, error })
    return putOff(ports, input.order, ports.clock.now() + FAULT_DELAY_MS)
  }
}

/** Orders of one look have mostly one assistant; an edit reaches those of the next look. */
function rememberingAssistants(
  assistants: AssistantStore,
): Pick<AssistantStore, 'find' | 'findVersion'> {
  const found = new Map<string, ReturnType<AssistantStore['find']>>()
  const once = (key: string, find: () => ReturnType<AssistantStore['find']>) => {
    const known = found.get(key) ?? find()
    found.set(key, known)
    return known
  }
  return {
    find: (organizationId, id) => once(id, () => assistants.find(organizationId, id)),
    findVersion: (id, version) =>
      once(`${id} ${version}`, () => assistants.findVersion(id, version)),
  }
}
