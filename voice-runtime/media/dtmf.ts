/** Keypad tones in the audio itself (ITU-T Q.23, Q.24), for carriers that do not signal them. */

import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { energyOf, goertzelCoefficient, tonePower } from '#shared/audio/goertzel.ts'
import { decodeMulaw, encodeMulaw } from '#shared/audio/mulaw.ts'
import { tonePcm } from '#shared/audio/tone.ts'

const LOW_HZ = [697, 770, 852, 941]
const HIGH_HZ = [1_209, 1_336, 1_477, 1_633]
const LOW = LOW_HZ.map(goertzelCoefficient)
const HIGH = HIGH_HZ.map(goertzelCoefficient)
const KEYS = ['123A', '456B', '789C', '*0#D']

const TONE_MS = 100
const GAP_MS = 100
const AMPLITUDE = 6_000

/** Less energy than this in a frame is no key: about -40 dB of full scale. */
const GATE = 160 * 250 ** 2
/** Share of the energy that both tones together must have: speech does not. */
const PURITY = 0.75
/** Neither tone may be more than 8 dB stronger than the other. */
const MAX_TWIST = 10 ** 0.8

/** Mu-law audio of keys, with a gap after each. Throws RangeError on anything but 0-9, *, #, A-D. */
export function dtmfTones(digits: string): Uint8Array {
  const period = (TONE_MS + GAP_MS) * SAMPLES_PER_MS
  const pcm = new Int16Array(digits.length * period)
  for (const [index, digit] of digits.split('').entries()) {
    const row = KEYS.findIndex((keys) => keys.includes(digit))
    if (row < 0) throw new RangeError('Not a key of the telephone')
    const hz = [LOW_HZ[row]!, HIGH_HZ[KEYS[row]!.indexOf(digit)]!]
    pcm.set(tonePcm({ hz, ms: TONE_MS, amplitude: AMPLITUDE }), index * period)
  }
  return encodeMulaw(pcm)
}

/** For one listener; feed it every 20 ms mu-law frame. A key counts when two frames agree on it, once. */
export class DtmfDetector {
  #last: string | null = null
  #pressed: string | null = null

  push(frame: Uint8Array): string | null {
    const key = keyOf(decodeMulaw(frame))
    const agreed = key === this.#last
    this.#last = key
    if (!agreed || key === this.#pressed) return null
    this.#pressed = key
    return key
  }
}

function keyOf(pcm: Int16Array): string | null {
  const energy = energyOf(pcm)
  if (energy < GATE) return null
  const low = strongest(pcm, LOW)
  const high = strongest(pcm, HIGH)
  const isKey =
    low.power + high.power > PURITY * energy &&
    low.power < high.power * MAX_TWIST &&
    high.power < low.power * MAX_TWIST
  return isKey ? KEYS[low.index]![high.index]! : null
}

function strongest(
  pcm: Int16Array,
  coefficients: readonly number[],
): { readonly index: number; readonly power: number } {
  const range = { from: 0, to: pcm.length }
  const powers = coefficients.map((coefficient) => tonePower(pcm, range, coefficient))
  const power = Math.max(...powers)
  return { index: powers.indexOf(power), power }
}
