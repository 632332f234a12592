import type { Timers } from '#shared/ports/clock.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { RealtimeModel } from '#shared/ports/realtime-model.ts'
import type { SpeechToText } from '#shared/ports/speech-to-text.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

import type { Environment } from './environment.ts'
import { configuredLanguageModel } from './llm/configured.ts'
import { configuredRealtime } from './realtime/configured.ts'
import { configuredSpeechToText } from './stt/configured.ts'
import { simulatedSpeechToText } from './stt/simulated.ts'
import { configuredTextToSpeech } from './tts/configured.ts'

/** Who hears, thinks and speaks in the calls of a process; `close` ends their connections. */
export interface ConfiguredVendors {
  readonly speechToText: SpeechToText
  readonly textToSpeech: TextToSpeech
  readonly languageModel: LanguageModel
  readonly realtimeModel: RealtimeModel
  close(): void
}

/** The vendors that the environment names; simulated ones in the place of those that it does not. */
export function configuredVendors(
  environment: Environment,
  deps: {
    readonly timers: Timers
    readonly logger: Logger
    readonly model: LanguageModel
    readonly simulatedVoice: TextToSpeech
  },
): ConfiguredVendors {
  const speechToText = configuredSpeechToText(environment, deps) ?? simulatedSpeechToText()
  const languageModel = configuredLanguageModel(environment, deps)
  const simulated = deps.simulatedVoice
  const textToSpeech = configuredTextToSpeech(environment, { ...deps, simulated })
  const parts = { ...deps, speechToText, languageModel, textToSpeech }
  return {
    speechToText,
    languageModel,
    textToSpeech,
    realtimeModel: configuredRealtime(environment, parts),
    close: () => textToSpeech.close(),
  }
}
