/** The sound of a situation: speech of a synthesiser, noises, and the noise of the line. */

import type { EspeakClient } from '#shared/adapters/tts/espeak-client.ts'
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { Resampler } from '#shared/audio/resample.ts'
import { wavChannels } from '#shared/audio/wav.ts'

import type { Noise } from './lines.ts'
import type { Random } from './random.ts'

/** Speech is 20 dB below full scale. */
const SPEECH_RMS = 3_277
/** Quieter than this part of the loudest block is no speech. */
const EDGE = 0.02
const BLOCK = 80

/** Speech without silence at its ends. */
export async function spoken(
  espeak: EspeakClient,
  order: { readonly text: string; readonly voice: string; readonly wordsPerMinute: number },
): Promise<Int16Array> {
  const wav = await espeak.speak(order)
  const resampler = new Resampler({ fromHz: wav.sampleRateHz, toHz: SAMPLE_RATE_HZ })
  const wide = wavChannels(wav)[0]!
  const pcm = joined([resampler.push(wide), resampler.flush()])
  return levelled(trimmed(pcm), SPEECH_RMS)
}

export function silence(ms: number): Int16Array {
  return new Int16Array(Math.round(ms * SAMPLES_PER_MS))
}

export function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** With noise of a line, so many dB below speech, falling towards high pitch. */
export function onLine(pcm: Int16Array, decibels: number, random: Random): Int16Array {
  const rms = SPEECH_RMS * 10 ** (-decibels / 20)
  let low = 0
  const noise = Float64Array.from({ length: pcm.length }, () => {
    low = 0.9 * low + random.between(-1, 1)
    return low
  })
  const gain = rms / rootMeanSquare(noise)
  return pcm.map((sample, at) => clipped(sample + noise[at]! * gain))
}

/** Noises that nobody means anything by. `voice`: somebody who speaks far away. */
export function noiseOf(kind: Noise, random: Random, voice: Int16Array): Int16Array {
  switch (kind) {
    case 'door':
      return levelled(burst(random, 180, 0.995), SPEECH_RMS * 2)
    case 'cough':
      return joined([
        levelled(burst(random, 260, 0.9985), SPEECH_RMS * 1.5),
        silence(120),
        levelled(burst(random, 320, 0.9988), SPEECH_RMS),
      ])
    case 'keyboard':
      return joined(
        Array.from({ length: 14 }, () => [
          levelled(burst(random, 25, 0.97), SPEECH_RMS / 2),
          silence(random.between(60, 180)),
        ]).flat(),
      )
    case 'hum':
      return levelled(
        Int16Array.from({ length: 2_500 * SAMPLES_PER_MS }, (_, at) => {
          const time = at / SAMPLE_RATE_HZ
          return 3_000 * Math.sin(2 * Math.PI * 120 * time) + random.between(-1_500, 1_500)
        }),
        SPEECH_RMS / 2,
      )
    case 'television':
      return levelled(voice, SPEECH_RMS / 8)
  }
}

function burst(random: Random, ms: number, decay: number): Int16Array {
  let level = 8_000
  return Int16Array.from({ length: ms * SAMPLES_PER_MS }, () => {
    level *= decay
    return random.between(-level, level)
  })
}

function trimmed(pcm: Int16Array): Int16Array {
  const loudness = Array.from({ length: Math.floor(pcm.length / BLOCK) }, (_, block) =>
    rootMeanSquare(pcm.subarray(block * BLOCK, (block + 1) * BLOCK)),
  )
  const gate = EDGE * loudness.reduce((most, each) => Math.max(most, each), 0)
  const first = loudness.findIndex((each) => each > gate)
  const last = loudness.findLastIndex((each) => each > gate)
  return pcm.slice(first * BLOCK, (last + 1) * BLOCK)
}

function levelled(pcm: Int16Array, rms: number): Int16Array {
  const gain = rms / rootMeanSquare(pcm)
  return pcm.map((sample) => clipped(sample * gain))
}

function clipped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, sample))
}

function rootMeanSquare(samples: Int16Array | Float64Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / Math.max(1, samples.length))
}
