import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { SpeechToText } from '#shared/ports/speech-to-text.ts'

import { numberOf, textOf, urlOf } from '../environment.ts'
import type { Environment } from '../environment.ts'
import { sonioxSpeechToText } from './soniox.ts'

/** The recogniser that the environment names (`STT_*`, README); null when it names none. */
export function configuredSpeechToText(
  environment: Environment,
  deps: { readonly timers: Timers; readonly logger: Logger },
): SpeechToText | null {
  const apiKey = textOf(environment, 'STT_API_KEY')
  if (apiKey === undefined) return null
  const url = urlOf(environment, 'STT_URL', ['wss:', 'ws:'])
  const framesPerMessage = numberOf(environment, 'STT_FRAMES_PER_MESSAGE', { min: 1, max: 50 })
  const maxEndpointDelayMs = numberOf(environment, 'STT_MAX_ENDPOINT_DELAY_MS', {
    min: 500,
    max: 3_000,
  })
  return sonioxSpeechToText({
    ...deps,
    apiKey,
    ...(url !== undefined && { url }),
    ...(framesPerMessage !== undefined && { framesPerMessage }),
    ...(maxEndpointDelayMs !== undefined && { maxEndpointDelayMs }),
  })
}
