import { SAMPLES_PER_MS, SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { Resampler } from '#shared/audio/resample.ts'
import { wavChannels } from '#shared/audio/wav.ts'
import { estimateWordTimes } from '#shared/audio/word-times.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

import { EspeakClient } from './espeak-client.ts'

const WORDS_PER_MINUTE = 170
/** Voices of assistants are spread over these. */
const VOICES = ['en-us+f2', 'en-us+m3', 'en-us+f4', 'en-us+m7', 'en-gb+f3', 'en-gb+m1'] as const

/** A voice that people can hear without a vendor; `close` ends the program that speaks. */
export interface SimulatedVoice extends TextToSpeech {
  close(): Promise<void>
}

/**
 * Audible speech for demos, by an espeak-ng program of its own. Times of words are estimates. An
 * aborted signal throws its reason.
 */
export function simulatedVoice(espeak = new EspeakClient()): SimulatedVoice {
  return {
    synthesize: async function* ({ text, voice }, signal) {
      signal.throwIfAborted()
      if (text.trim() === '') return
      const order = {
        text,
        voice: espeakVoice(voice?.id ?? ''),
        wordsPerMinute: WORDS_PER_MINUTE * (voice?.speed ?? 1),
      }
      const wav = await espeak.speak(order, signal)
      const resampler = new Resampler({ fromHz: wav.sampleRateHz, toHz: SAMPLE_RATE_HZ })
      const pcm = wavChannels(wav)[0]!
      const audio = [pcm, null].map((part) =>
        encodeMulaw(part === null ? resampler.flush() : resampler.push(part)),
      )
      const durationMs = audio.reduce((sum, part) => sum + part.length, 0) / SAMPLES_PER_MS
      yield { audio: Buffer.concat(audio), words: estimateWordTimes(text, durationMs) }
    },
    close: () => espeak.close(),
  }
}

/** The same voice for the same id, always. */
function espeakVoice(id: string): string {
  const sum = [...Buffer.from(id)].reduce((sum, byte) => (sum * 31 + byte) % 65_536, 0)
  return VOICES[sum % VOICES.length]!
}
