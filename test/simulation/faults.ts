import type { Prng } from './prng.ts'

/** How unkind the world is: each a probability per occasion, except for `skewMs`. */
export interface Faults {
  /** A call to a store, a queue or a vendor fails before it had any effect. */
  readonly failBefore: number
  /** ... fails after it had its effect: the caller cannot know. */
  readonly failAfter: number
  /** A save finds that somebody else was faster. */
  readonly conflict: number
  /** A function dies between two things that it does. */
  readonly kill: number
  /** A runtime is killed with all its calls, at some time of its life. */
  readonly killRuntime: number
  /** The carrier does not notice that the process behind a media socket is gone. */
  readonly halfOpen: number
  /** A process stands still for a minute or so, between two things that it does. */
  readonly stall: number
  /** Clocks are wrong by up to this. */
  readonly skewMs: number
  readonly duplicateMessage: number
  readonly delayMessage: number
  readonly dropMessage: number
  readonly duplicateCarrierEvent: number
  readonly loseCarrierEvent: number
  /** No answer comes to a dial, and it reaches the carrier later. */
  readonly lateDial: number
  readonly failModel: number
  readonly failWebhook: number
  readonly slowWebhook: number
}

export type FaultName = keyof Faults

/** The world at its worst. */
const HARSH: Faults = {
  failBefore: 0.004,
  failAfter: 0.004,
  conflict: 0.01,
  kill: 0.05,
  killRuntime: 0.9,
  halfOpen: 0.3,
  stall: 0.0015,
  skewMs: 1_500,
  duplicateMessage: 0.12,
  delayMessage: 0.08,
  dropMessage: 0.02,
  duplicateCarrierEvent: 0.15,
  loseCarrierEvent: 0.05,
  lateDial: 0.03,
  failModel: 0.1,
  failWebhook: 0.3,
  slowWebhook: 0.1,
}

export const FAULT_NAMES = Object.keys(HARSH) as FaultName[]

export const NO_FAULTS: Faults = faultsBy(() => 0)

/** A calm world, a rough one, or anything between; in most of them some faults never happen. */
export function anyFaults(random: Prng): Faults {
  const kind = random.next()
  if (kind < 0.05) return NO_FAULTS
  // Nothing goes wrong where only clocks differ: there nothing may wait in vain.
  if (kind < 0.15) return { ...NO_FAULTS, skewMs: random.pick([40, HARSH.skewMs]) }
  const strength = kind < 0.4 ? 0.1 : 1
  return faultsBy((name) => (random.chance(0.7) ? HARSH[name] * strength : 0))
}

export function without(faults: Faults, names: readonly FaultName[]): Faults {
  return faultsBy((name) => (names.includes(name) ? 0 : faults[name]))
}

function faultsBy(of: (name: FaultName) => number): Faults {
  return Object.fromEntries(FAULT_NAMES.map((name) => [name, of(name)])) as unknown as Faults
}
