/** The power of single frequencies, where a whole spectrum would be too much. 8 kHz. */

import { SAMPLE_RATE_HZ } from './frame.ts'

/** What `tonePower` needs to know of a frequency. */
export function goertzelCoefficient(hz: number): number {
  return 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE_HZ)
}

/**
 * Energy that one frequency contributes to `samples[from, to)`: the full `energy` of the stretch when
 * it holds nothing but this tone, so the quotient of both is a share between 0 and about 1.
 */
export function tonePower(
  samples: Int16Array,
  range: { readonly from: number; readonly to: number },
  coefficient: number,
): number {
  let s1 = 0
  let s2 = 0
  for (let i = range.from; i < range.to; i++) {
    const s = samples[i]! + coefficient * s1 - s2
    s2 = s1
    s1 = s
  }
  return ((s1 * s1 + s2 * s2 - coefficient * s1 * s2) * 2) / (range.to - range.from)
}

/** Sum of squares of `samples[from, to)`. */
export function energyOf(
  samples: Int16Array,
  range: { readonly from: number; readonly to: number } = { from: 0, to: samples.length },
): number {
  let energy = 0
  for (let i = range.from; i < range.to; i++) energy += samples[i]! * samples[i]!
  return energy
}
