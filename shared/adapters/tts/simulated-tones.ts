import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { toneWords, wordTones } from '#shared/audio/tone-words.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

/**
 * A voice for tests: says each word in tones that `ToneWordDecoder` understands exactly, so that a test
 * knows what the callee heard. Speed and volume have no effect. An aborted signal throws its reason.
 */
export function simulatedTones(): TextToSpeech {
  return {
    synthesize: async function* (request, signal) {
      let endMs = 0
      for (const text of toneWords(request.text)) {
        signal.throwIfAborted()
        const audio = encodeMulaw(wordTones(text))
        endMs += audio.length / SAMPLES_PER_MS
        yield { audio, words: [{ text, endMs }] }
      }
    },
  }
}
