/** Speech as eight numbers per 20 ms: enough to tell known recordings apart, cheap enough for every call. */

import { LINE_HZ, Spectrum } from './spectrum.ts'

const EDGES_HZ = [200, 400, 600, 900, 1_300, 1_800, 2_400, 3_000, 3_600]
export const BANDS = EDGES_HZ.length - 1
const FIRST_LINE = EDGES_HZ.map((hz) => Math.round(hz / LINE_HZ))

/** Power in eight bands from 200 to 3600 Hz of the last 32 ms. */
export class BandEnvelope {
  readonly #spectrum = new Spectrum()

  /** Takes the next mu-law frame; 1 is a sine at full scale. */
  push(frame: Uint8Array): Float32Array {
    const lines = this.#spectrum.push(frame)
    const bands = new Float32Array(BANDS)
    for (let band = 0; band < BANDS; band++) {
      for (let line = FIRST_LINE[band]!; line < FIRST_LINE[band + 1]!; line++) {
        bands[band] = bands[band]! + lines[line]!
      }
    }
    return bands
  }
}
