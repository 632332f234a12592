import type { Prng } from '#test/simulation/prng.ts'

/** Pink noise whose level goes up and down slowly, like a street. `rms` is its level on the whole. */
export function noise(length: number, rms: number, random: Prng): Float32Array {
  const pink = new Float32Array(length)
  let [b0, b1, b2] = [0, 0, 0]
  let phase = random.next() * 2 * Math.PI
  let energy = 0
  for (let i = 0; i < length; i++) {
    const white = random.next() * 2 - 1
    // Three poles give -10 dB per decade over the telephone band (Paul Kellet's filter).
    b0 = 0.99765 * b0 + white * 0.099046
    b1 = 0.963 * b1 + white * 0.2965164
    b2 = 0.57 * b2 + white * 1.0526913
    phase += (2 * Math.PI * 0.4) / 8_000
    const sample = (b0 + b1 + b2 + white * 0.1848) * (1 + 0.35 * Math.sin(phase))
    pink[i] = sample
    energy += sample * sample
  }
  const gain = rms / Math.sqrt(energy / length)
  return pink.map((sample) => sample * gain)
}
