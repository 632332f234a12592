/**
 * Makes the audio of `shared/audio/clips/callee-clips.ts`: `node infra/generate/callee-clips.ts`.
 * espeak-ng runs as a separate program; what it says is stored in the repository.
 */

import { writeFileSync } from 'node:fs'

import { EspeakClient } from '#shared/adapters/tts/espeak-client.ts'
import type { CalleePersona } from '#shared/audio/clips/callee-clips.ts'
import { CALLEE_CLIPS } from '#shared/audio/clips/callee-clips.ts'
import { FRAME_BYTES, SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import { energyOf } from '#shared/audio/goertzel.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { Resampler } from '#shared/audio/resample.ts'
import { wavChannels, writeWav } from '#shared/audio/wav.ts'

const VOICES: Readonly<Record<CalleePersona, { voice: string; wordsPerMinute: number }>> = {
  person: { voice: 'en-us+f3', wordsPerMinute: 165 },
  colleague: { voice: 'en-us+m3', wordsPerMinute: 170 },
  voicemail: { voice: 'en-us+m7', wordsPerMinute: 165 },
  menu: { voice: 'en-gb+f2', wordsPerMinute: 155 },
  screening: { voice: 'en-gb+m5', wordsPerMinute: 170 },
}

/** Where spelling misleads the synthesiser: its phonemes. */
const PRONUNCIATIONS: Readonly<Record<string, string>> = { 'Mm-hm.': "[[m@mh'@m]]" }

/** Blocks of 10 ms; those more than 38 dB below the loudest are pauses. */
const BLOCK = 80
const PAUSE_POWER = 10 ** -3.8
/** Pauses within a line are cut down to this, so that they are never taken for its end. */
const LONGEST_PAUSE_BLOCKS = 12
/** Level of speech: 20 dB below full scale. */
const SPEECH_RMS = 3_277
/** First-order high pass near 200 Hz, the lower end of the telephone band. */
const HIGH_PASS = 0.85

const espeak = new EspeakClient()
for (const [id, { persona, text }] of Object.entries(CALLEE_CLIPS)) {
  const spoken = PRONUNCIATIONS[text] ?? text
  const wav = await espeak.speak({ text: spoken, ...VOICES[persona] })
  const resampler = new Resampler({ fromHz: wav.sampleRateHz, toHz: SAMPLE_RATE_HZ })
  const wide = wavChannels(wav)[0]!
  const pcm = joined([resampler.push(wide), resampler.flush()])
  const clip = encodeMulaw(levelled(withoutPauses(highPassed(pcm))))
  const file = { encoding: 'mulaw', sampleRateHz: SAMPLE_RATE_HZ, channels: 1, data: clip } as const
  writeFileSync(new URL(`../../shared/audio/clips/${id}.wav`, import.meta.url), writeWav(file))
}
await espeak.close()

function highPassed(pcm: Int16Array): Int16Array {
  let [last, out] = [0, 0]
  return pcm.map((sample) => {
    out = HIGH_PASS * (out + sample - last)
    last = sample
    return out
  })
}

/** No silence at the ends, short pauses within, whole frames long. */
function withoutPauses(pcm: Int16Array): Int16Array {
  const blocks = Array.from({ length: Math.ceil(pcm.length / BLOCK) }, (_, i) =>
    pcm.subarray(i * BLOCK, (i + 1) * BLOCK),
  )
  const powers = blocks.map((block) => energyOf(block))
  const gate = Math.max(...powers) * PAUSE_POWER
  const first = powers.findIndex((power) => power > gate)
  const last = powers.findLastIndex((power) => power > gate)
  let pause = 0
  const kept = blocks.filter((_, i) => {
    pause = powers[i]! > gate ? 0 : pause + 1
    return i >= first && i <= last && pause <= LONGEST_PAUSE_BLOCKS
  })
  const speech = joined(kept)
  const whole = new Int16Array(Math.ceil(speech.length / FRAME_BYTES) * FRAME_BYTES)
  whole.set(speech)
  return whole
}

function levelled(pcm: Int16Array): Int16Array {
  const gain = SPEECH_RMS / Math.sqrt(energyOf(pcm) / pcm.length)
  return pcm.map((sample) => Math.max(-32_768, Math.min(32_767, sample * gain)))
}

function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
