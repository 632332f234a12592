import { NO_FAULTS, without, type FaultName } from './faults.ts'
import { Invariants } from './invariants.ts'
import { Owners } from './owners.ts'
import { Prng } from './prng.ts'
import { planScenario, type Scenario } from './scenario.ts'
import { SimulatedService } from './simulated-service.ts'
import { World } from './world.ts'

const HARSH_MS = 36 * 3_600_000
/** Long enough for every retry of the slowest order. */
const KIND_MS = 60 * 24 * 3_600_000
/** A world that is kind comes to rest long before. */
const KIND_STEPS = 20_000
const DONE_CHECK_MS = 3_600_000

/** A seed, or less of what it plans: what is left when a failing one was made as small as it gets. */
export interface SimulatedCase {
  readonly seed: number
  /** Ids of the actions that happen; absent: all. */
  readonly actions?: readonly number[]
  /** What does not go wrong. */
  readonly without?: readonly FaultName[]
  /** Which of the worlds: what happens by chance in it; absent: 0. */
  readonly luck?: number
}

/** The number of the rule that a failure broke; NaN when it is no rule that failed. */
export function brokenInvariant(failure: string | null): number {
  return Number(/^Invariant (\d+)/.exec(failure ?? '')?.[1])
}

export interface SimulationReport {
  readonly steps: number
  readonly dials: number
  readonly log: readonly string[]
  /** What broke, or null. */
  readonly failure: string | null
}

export function scenarioOf({ seed, actions, without: left = [] }: SimulatedCase): Scenario {
  const scenario = planScenario(seed)
  return {
    ...scenario,
    faults: without(scenario.faults, left),
    actions: scenario.actions.filter(({ id }) => actions?.includes(id) ?? true),
  }
}

/**
 * Runs the production use cases through a day and a half of faults, then lets the world be kind until
 * everything has come to rest. The invariants are checked after every step.
 */
export async function simulate(
  simulated: SimulatedCase,
  options: { readonly keepsLog?: boolean } = {},
): Promise<SimulationReport> {
  const scenario = scenarioOf(simulated)
  const { faults, trunk } = scenario
  const random = new Prng(~scenario.seed + (simulated.luck ?? 0) * 0x9e3779b9)
  const world = new World(random, scenario.startAt, { keepsLog: options.keepsLog ?? false })
  const service = new SimulatedService(world, { faults, trunk })
  let failure: string | null = null
  try {
    await new Owners(service, scenario).begin()
    const invariants = new Invariants(service, scenario)
    world.afterStep = () => invariants.checkStep()
    await world.run(world.now + HARSH_MS)
    service.faults = NO_FAULTS
    const restAt = world.now + KIND_MS
    const stepsMax = world.steps + KIND_STEPS
    while (world.now < restAt && world.steps < stepsMax && !(await service.isAtRest(restAt))) {
      await world.run(world.now + DONE_CHECK_MS)
    }
    await invariants.checkRest()
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
  }
  return { steps: world.steps, dials: service.carrier.dials.length, log: world.log, failure }
}
