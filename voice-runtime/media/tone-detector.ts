/** Hears single steady tones: voicemail beeps, fax. Ignores speech, keypad tones and US ringback. */

import { FRAME_MS } from '#shared/audio/frame.ts'
import { LINE_HZ, Spectrum } from '#shared/audio/spectrum.ts'

/** Lowest and highest line looked at, 125 Hz and 3.7 kHz, and the range of a tone. */
const FIRST_LINE = 4
const LAST_LINE = 119
const LOWEST_HZ = 350
const HIGHEST_HZ = 2_600
/** Part of the power that the tone's five lines must hold. */
const PURITY = 0.85
/** Power of full scale, -45 dB. */
const MIN_POWER = 10 ** -4.5
/** A tone has begun after this many frames... */
const CONFIRMING_FRAMES = 6
/** ...of the same pitch and level. */
const PITCH_TOLERANCE_HZ = 12
const LEVEL_TOLERANCE_DB = 4
const SMOOTHING = 0.3

export type ToneChange =
  | { readonly type: 'toneStarted'; readonly hz: number }
  | { readonly type: 'toneEnded'; readonly hz: number; readonly durationMs: number }

interface Line {
  readonly hz: number
  readonly db: number
}

/** For one listener; feed it every 20 ms mu-law frame. About 9 us per frame. */
export class ToneDetector {
  readonly #spectrum = new Spectrum()
  #tone: (Line & { readonly frames: number }) | null = null
  /** One frame may be spoilt by a click. */
  #missed = false

  push(frame: Uint8Array): ToneChange | null {
    const heard = steadyLine(this.#spectrum.push(frame))
    const tone = this.#tone
    if (heard !== null && (tone === null || isSame(heard, tone))) {
      const frames = (tone?.frames ?? 0) + 1
      this.#tone = { ...blend(tone ?? heard, heard), frames }
      this.#missed = false
      return frames === CONFIRMING_FRAMES ? { type: 'toneStarted', hz: this.#tone.hz } : null
    }
    if (tone === null) return null
    if (!this.#missed) {
      this.#missed = true
      return null
    }
    this.#tone = heard && { ...heard, frames: 1 }
    this.#missed = false
    if (tone.frames < CONFIRMING_FRAMES) return null
    return { type: 'toneEnded', hz: tone.hz, durationMs: tone.frames * FRAME_MS }
  }
}

/** The line that holds nearly all power, if there is one. */
function steadyLine(lines: Float32Array): Line | null {
  let total = 0
  let peak = FIRST_LINE
  for (let line = FIRST_LINE; line <= LAST_LINE; line++) {
    total += lines[line]!
    if (lines[line]! > lines[peak]!) peak = line
  }
  if (total < MIN_POWER) return null
  let held = 0
  for (let line = peak - 2; line <= peak + 2; line++) held += lines[line]!
  const [left, middle, right] = [peak - 1, peak, peak + 1].map((line) => Math.sqrt(lines[line]!))
  const hz = (peak + (right! - left!) / (left! + middle! + right!)) * LINE_HZ
  if (held < PURITY * total || hz < LOWEST_HZ || hz > HIGHEST_HZ) return null
  return { hz, db: 10 * Math.log10(total) }
}

function isSame(heard: Line, tone: Line): boolean {
  return (
    Math.abs(heard.hz - tone.hz) < PITCH_TOLERANCE_HZ &&
    Math.abs(heard.db - tone.db) < LEVEL_TOLERANCE_DB
  )
}

function blend(tone: Line, heard: Line): Line {
  return {
    hz: tone.hz + (heard.hz - tone.hz) * SMOOTHING,
    db: tone.db + (heard.db - tone.db) * SMOOTHING,
  }
}
