import { FAULT_NAMES } from './faults.ts'
import { planScenario } from './scenario.ts'
import { brokenInvariant, simulate, type SimulatedCase } from './simulate.ts'

/** Less happens in another order: a smaller case may need another world to fail in. */
const WORLDS = 6

/** What is left of a failing case, and how it fails. */
export interface Minimised {
  readonly smallest: Required<SimulatedCase>
  readonly failure: string
}

/**
 * Takes away faults and actions as long as the same rule still breaks: first whole parts, then single
 * ones, until none can be spared.
 */
export async function minimise(failing: SimulatedCase, failure: string): Promise<Minimised> {
  const all = planScenario(failing.seed).actions.map(({ id }) => id)
  let left: Minimised = {
    smallest: { actions: all, without: [], luck: 0, ...failing },
    failure,
  }
  const tryOut = async (smaller: Required<SimulatedCase>): Promise<boolean> => {
    for (let world = 0; world < WORLDS; world += 1) {
      const candidate = { ...smaller, luck: smaller.luck + world }
      const report = await simulate(candidate)
      const isSame = brokenInvariant(report.failure) === brokenInvariant(failure)
      if (report.failure === null || !isSame) continue
      left = { smallest: candidate, failure: report.failure }
      return true
    }
    return false
  }
  for (let size = -1; size !== sizeOf(left.smallest);) {
    size = sizeOf(left.smallest)
    for (const name of FAULT_NAMES) {
      const { without } = left.smallest
      if (!without.includes(name)) await tryOut({ ...left.smallest, without: [...without, name] })
    }
    for (let part = Math.ceil(left.smallest.actions.length / 2); part >= 1; part >>= 1) {
      for (let from = 0; from < left.smallest.actions.length;) {
        const { actions } = left.smallest
        const fewer = [...actions.slice(0, from), ...actions.slice(from + part)]
        if (!(await tryOut({ ...left.smallest, actions: fewer }))) from += part
      }
    }
  }
  return left
}

function sizeOf({ actions, without }: Required<SimulatedCase>): number {
  return actions.length + FAULT_NAMES.length - without.length
}
