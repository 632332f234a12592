import { SAMPLES_PER_MS, SAMPLE_RATE_HZ } from './frame.ts'
import { encodeMulaw } from './mulaw.ts'

export interface ToneOptions {
  /** Frequencies sounding together, each at the same level. */
  readonly hz: readonly number[]
  readonly ms: number
  /** Peak of each frequency, of 32767. */
  readonly amplitude: number
}

/** Steady tones with 2 ms of fade at both ends against clicks. */
export function tonePcm(options: ToneOptions): Int16Array {
  const length = Math.round(options.ms * SAMPLES_PER_MS)
  const fade = 2 * SAMPLES_PER_MS
  return Int16Array.from({ length }, (_, i) => {
    const envelope = Math.min(1, i / fade, (length - 1 - i) / fade)
    const sum = options.hz.reduce(
      (sum, hz) => sum + Math.sin((2 * Math.PI * hz * i) / SAMPLE_RATE_HZ),
      0,
    )
    return Math.round(options.amplitude * envelope * sum)
  })
}

/** The tone after a voicemail's greeting, as mu-law: 1 kHz for 400 ms. */
export function voicemailBeep(): Uint8Array {
  return encodeMulaw(tonePcm({ hz: [1_000], ms: 400, amplitude: 8_000 }))
}
