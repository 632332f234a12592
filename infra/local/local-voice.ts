import { configuredTextToSpeech } from '#shared/adapters/tts/configured.ts'
import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import { simulatedVoice } from '#shared/adapters/tts/simulated-voice.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

/**
 * How the agent of a local stack sounds: by the vendors that the environment names, otherwise
 * simulated; `close` ends their connections and the program that speaks.
 */
export function localVoice(
  settings: { readonly voice: 'speech' | 'tones' },
  deps: { readonly timers: Timers; readonly logger: Logger },
): { readonly textToSpeech: TextToSpeech; close(): Promise<void> } {
  const spoken = settings.voice === 'tones' ? null : simulatedVoice()
  const simulated = spoken ?? simulatedTones()
  const voice = configuredTextToSpeech(process.env, { ...deps, simulated })
  return {
    textToSpeech: voice,
    async close() {
      voice.close()
      await spoken?.close()
    },
  }
}
