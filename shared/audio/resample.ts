/** Resampling between the rates of voices (22.05, 24, 16 kHz) and of telephones (8 kHz), chunk by chunk. */

/** Filter length per phase at the lower rate, window shape, and pass band as a part of the lower half rate. */
const TAPS = 32
const KAISER_BETA = 7
const ROLL_OFF = 0.92

interface Filter {
  /** The rates' ratio in lowest terms: out / in = up / down. */
  readonly up: number
  readonly down: number
  /** One row of coefficients per output phase, oldest sample first. */
  readonly phases: readonly Float32Array[]
  /** Even. */
  readonly taps: number
}

const filters = new Map<string, Filter>()

/**
 * A streaming polyphase resampler (Kaiser-windowed sinc). Keeps its history between chunks, so chunk
 * borders are not heard. Delays by half a filter: 2 ms between 8 and 16 kHz.
 */
export class Resampler {
  readonly #filter: Filter
  #history: Float32Array
  /** Where the next output sample falls: input index into the next chunk, and phase between samples. */
  #position = 0
  #phase = 0

  constructor(rates: { readonly fromHz: number; readonly toHz: number }) {
    this.#filter = filterFor(rates.fromHz, rates.toHz)
    this.#history = new Float32Array(this.#filter.taps - 1)
  }

  push(pcm: Int16Array): Int16Array {
    const { up, down, phases, taps } = this.#filter
    const input = new Float32Array(this.#history.length + pcm.length)
    input.set(this.#history)
    input.set(pcm, this.#history.length)
    const output = new Int16Array(Math.ceil((pcm.length * up) / down) + 1)
    let written = 0
    let position = this.#position
    let phase = this.#phase
    while (position < pcm.length) {
      const row = phases[phase]!
      let even = 0
      let odd = 0
      for (let k = 0; k < taps; k += 2) {
        even += input[position + k]! * row[k]!
        odd += input[position + k + 1]! * row[k + 1]!
      }
      output[written++] = Math.max(-32_768, Math.min(32_767, Math.round(even + odd)))
      phase += down
      while (phase >= up) {
        phase -= up
        position++
      }
    }
    this.#position = position - pcm.length
    this.#phase = phase
    this.#history = input.slice(pcm.length)
    return output.subarray(0, written)
  }

  /** What the filter still holds back at the end of the audio. */
  flush(): Int16Array {
    return this.push(new Int16Array(this.#filter.taps >> 1))
  }
}

function filterFor(fromHz: number, toHz: number): Filter {
  const key = `${fromHz}:${toHz}`
  const known = filters.get(key)
  if (known) return known
  const filter = designFilter(fromHz, toHz)
  filters.set(key, filter)
  return filter
}

function designFilter(fromHz: number, toHz: number): Filter {
  const divisor = greatestCommonDivisor(fromHz, toHz)
  const up = toHz / divisor
  const down = fromHz / divisor
  const taps = 2 * Math.ceil((TAPS / 2) * Math.max(1, down / up))
  const cutoff = (ROLL_OFF * 0.5) / Math.max(up, down)
  const centre = (taps * up - 1) / 2
  const coefficient = (index: number): number => {
    const t = index - centre
    const sinc = t === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * t) / (Math.PI * t)
    const shape = Math.sqrt(Math.max(0, 1 - (t / centre) ** 2))
    return (sinc * bessel(KAISER_BETA * shape) * up) / bessel(KAISER_BETA)
  }
  const phases = Array.from({ length: up }, (_, phase) =>
    Float32Array.from({ length: taps }, (_, k) => coefficient(phase + (taps - 1 - k) * up)),
  )
  return { up, down, phases, taps }
}

/** Modified Bessel function of order zero. */
function bessel(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; k < 30; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
