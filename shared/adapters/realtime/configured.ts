import type { REALTIME_PROVIDERS } from '#shared/domain/llm-model.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { RealtimeModel } from '#shared/ports/realtime-model.ts'
import type { SpeechToText } from '#shared/ports/speech-to-text.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

import { textOf, urlOf } from '../environment.ts'
import type { Environment } from '../environment.ts'
import { geminiLive } from './gemini-live.ts'
import { openAiRealtime } from './openai-realtime.ts'
import { reconnectingRealtime } from './reconnecting.ts'
import { simulatedRealtime } from './simulated.ts'

type Provider = (typeof REALTIME_PROVIDERS)[number]

/**
 * The speech-to-speech models that the environment names (`REALTIME_PROVIDER_*`, README). A provider
 * that it does not name is stood in for by the recogniser, the chat model and the voice in a row.
 */
export function configuredRealtime(
  environment: Environment,
  deps: {
    readonly timers: Timers
    readonly logger: Logger
    readonly speechToText: SpeechToText
    readonly languageModel: LanguageModel
    readonly textToSpeech: TextToSpeech
  },
): RealtimeModel {
  const models: Readonly<Record<Provider, RealtimeModel>> = {
    realtime_provider_1: vendorOf(environment, 'realtime_provider_1', deps),
    realtime_provider_2: vendorOf(environment, 'realtime_provider_2', deps),
  }
  return { open: (options, listener) => models[options.model.provider].open(options, listener) }
}

function vendorOf(
  environment: Environment,
  provider: Provider,
  deps: Parameters<typeof configuredRealtime>[1],
): RealtimeModel {
  const prefix = provider.toUpperCase()
  const apiKey = textOf(environment, `${prefix}_API_KEY`)
  if (apiKey === undefined) return simulatedRealtime(deps)
  const { timers, logger } = deps
  const url = urlOf(environment, `${prefix}_URL`, ['wss:', 'ws:'])
  const options = { apiKey, timers, logger, ...(url !== undefined && { url }) }
  if (provider === 'realtime_provider_2') return reconnectingRealtime(geminiLive(options), deps)
  const transcriptionModel = textOf(environment, `${prefix}_TRANSCRIPTION_MODEL`)
  return reconnectingRealtime(
    openAiRealtime({ ...options, ...(transcriptionModel !== undefined && { transcriptionModel }) }),
    deps,
  )
}
