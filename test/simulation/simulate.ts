import { HARSH, NO_FAULTS } from './faults.ts'
import { Invariants } from './invariants.ts'
import { SimulatedService } from './simulated-service.ts'
import { startWorkload } from './workload.ts'
import { World } from './world.ts'

/** Around a change of clocks in Europe and America, where mistakes live. */
const STARTS = [
  '2026-10-23T06:00:00Z',
  '2026-10-30T12:00:00Z',
  '2027-03-12T18:00:00Z',
  '2026-06-15T00:00:00Z',
]

const HARSH_MS = 36 * 3_600_000
/** Long enough for every retry of the slowest order. */
const KIND_MS = 60 * 24 * 3_600_000
/** A world that is kind comes to rest long before. */
const KIND_STEPS = 50_000
const DONE_CHECK_MS = 3_600_000

export interface SimulationReport {
  readonly seed: number
  readonly steps: number
  readonly dials: number
  readonly log: readonly string[]
  /** What broke, or null. */
  readonly failure: string | null
}

/**
 * Runs the production use cases through a day and a half of faults, then lets the world be kind until
 * everything has come to rest. The invariants are checked after every step.
 */
export async function simulate(seed: number): Promise<SimulationReport> {
  const world = new World(seed, Date.parse(STARTS[seed % STARTS.length] ?? ''))
  const service = new SimulatedService(world, HARSH, {
    id: 'trunk',
    maxConcurrentCalls: 2 + (seed % 3),
    callsPerSecond: 1,
  })
  const touched = new Set<string>()
  const orders = new Set<string>()
  const { calls } = service.stores
  const save = calls.save.bind(calls)
  calls.save = async (write) => {
    const result = await save(write)
    const orderId = write.order?.after.id ?? write.attempt?.after.orderId
    if (result.kind === 'saved' && orderId !== undefined) {
      touched.add(orderId)
      orders.add(orderId)
    }
    return result
  }
  const createOrders = calls.createOrders.bind(calls)
  calls.createOrders = async (created) => {
    const result = await createOrders(created)
    for (const { id } of result.kind === 'saved' ? created : []) {
      touched.add(id)
      orders.add(id)
    }
    return result
  }
  const { campaigns } = service.stores
  const saveCampaign = campaigns.save.bind(campaigns)
  campaigns.save = async (change) => {
    service.campaignIds.add(change.after.id)
    return saveCampaign(change)
  }
  const report = (failure: string | null): SimulationReport => ({
    seed,
    steps: world.steps,
    dials: service.carrier.dials.length,
    log: world.log,
    failure,
  })
  try {
    const promises = await startWorkload(service)
    const invariants = new Invariants(service, promises)
    world.afterStep = async () => {
      await invariants.checkStep(touched)
      touched.clear()
    }
    await world.run(world.now + HARSH_MS)
    service.faults = NO_FAULTS
    const restAt = world.now + KIND_MS
    const stepsMax = world.steps + KIND_STEPS
    while (world.now < restAt && world.steps < stepsMax && !(await service.isAtRest(orders))) {
      await world.run(world.now + DONE_CHECK_MS)
    }
    await invariants.checkRest(orders)
    return report(null)
  } catch (error) {
    return report(error instanceof Error ? error.message : String(error))
  }
}
