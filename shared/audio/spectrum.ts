/** Power spectrum of the last 32 ms, advanced frame by frame. */

import { FRAME_BYTES, SAMPLE_RATE_HZ } from './frame.ts'
import { decodeMulaw } from './mulaw.ts'

const SIZE = 256
/** Width of one spectral line. */
export const LINE_HZ = SAMPLE_RATE_HZ / SIZE

const COSINES = Float32Array.from({ length: SIZE / 2 }, (_, i) =>
  Math.cos((2 * Math.PI * i) / SIZE),
)
const SINES = Float32Array.from({ length: SIZE / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / SIZE))
const HANN = Float32Array.from(
  { length: SIZE },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (SIZE - 1)),
)
/** A sine at full scale puts this much power on its lines in all. */
const FULL_SCALE = (32_768 * 32_768 * SIZE * SIZE * 3) / 32
const REVERSED = Uint8Array.from({ length: SIZE }, (_, i) => {
  let reversed = 0
  for (let bit = 0; bit < 8; bit++) if (i & (1 << bit)) reversed |= 128 >> bit
  return reversed
})

/** Hann-windowed, 128 lines of 31.25 Hz; about 8 us per frame. */
export class Spectrum {
  readonly #history = new Int16Array(SIZE)
  readonly #real = new Float32Array(SIZE)
  readonly #imaginary = new Float32Array(SIZE)
  readonly #power = new Float32Array(SIZE / 2)

  /** Takes the next mu-law frame. The result is overwritten by the next call; 1 is a sine at full scale. */
  push(frame: Uint8Array): Float32Array {
    const history = this.#history
    const real = this.#real
    const imaginary = this.#imaginary
    const power = this.#power
    history.copyWithin(0, FRAME_BYTES)
    history.set(decodeMulaw(frame), SIZE - FRAME_BYTES)
    for (let i = 0; i < SIZE; i++) real[REVERSED[i]!] = history[i]! * HANN[i]!
    imaginary.fill(0)
    transform(real, imaginary)
    for (let line = 0; line < SIZE / 2; line++) {
      power[line] = (real[line]! * real[line]! + imaginary[line]! * imaginary[line]!) / FULL_SCALE
    }
    return power
  }
}

/** In-place radix-2 FFT of bit-reversed input. */
function transform(real: Float32Array, imaginary: Float32Array): void {
  for (let size = 2; size <= SIZE; size <<= 1) {
    const half = size >> 1
    const step = SIZE / size
    for (let start = 0; start < SIZE; start += size) {
      for (let a = start, turn = 0; turn < SIZE / 2; a++, turn += step) {
        const b = a + half
        const re = real[b]! * COSINES[turn]! - imaginary[b]! * SINES[turn]!
        const im = real[b]! * SINES[turn]! + imaginary[b]! * COSINES[turn]!
        real[b] = real[a]! - re
        imaginary[b] = imaginary[a]! - im
        real[a] = real[a]! + re
        imaginary[a] = imaginary[a]! + im
      }
    }
  }
}
