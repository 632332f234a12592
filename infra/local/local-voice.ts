import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import { simulatedVoice } from '#shared/adapters/tts/simulated-voice.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

/** How the agent of a local stack sounds without a vendor; `close` ends the program that speaks. */
export function localVoice(settings: { readonly voice: 'speech' | 'tones' }): {
  readonly textToSpeech: TextToSpeech
  close(): Promise<void>
} {
  if (settings.voice === 'tones') return { textToSpeech: simulatedTones(), close: async () => {} }
  const voice = simulatedVoice()
  return { textToSpeech: voice, close: () => voice.close() }
}
