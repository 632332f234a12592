import { TTS_MODELS, VOICE_PROVIDERS } from '#shared/domain/assistant.ts'
import type { Voice, VoiceProvider } from '#shared/domain/assistant.ts'
import { similarVoice, VOICE_CATALOGUE } from '#shared/domain/voice-catalogue.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

import { numberOf, textMapOf, textOf, urlOf } from '../environment.ts'
import type { Environment } from '../environment.ts'
import { cartesiaProtocol } from './cartesia.ts'
import { elevenLabsProtocol } from './elevenlabs.ts'
import { inworldProtocol } from './inworld.ts'
import { keptSpeech } from './kept-speech.ts'
import { resilientTextToSpeech } from './resilient.ts'
import type { SpeechProtocol } from './speech-protocol.ts'
import { vendorVoice } from './vendor-voice.ts'
import type { VendorVoice } from './vendor-voice.ts'

const ANY_MS = { min: 1, max: 60_000 }
/** The conversation gives a voice 4 s: this leaves a fallback the other half. */
const FIRST_MS = 2_000
const NEXT_MS = 2_000

/**
 * The voices that the environment names (`VOICE_*`, README); `simulated` speaks for the providers
 * that it does not.
 */
export function configuredTextToSpeech(
  environment: Environment,
  deps: { readonly timers: Timers; readonly logger: Logger; readonly simulated: TextToSpeech },
): VendorVoice {
  const voiceIds = textMapOf(environment, 'VOICE_IDS') ?? {}
  const defaultVoice = defaultVoiceOf(environment)
  const vendors = new Map<VoiceProvider, VendorVoice>()
  for (const provider of VOICE_PROVIDERS) {
    const protocol = protocolOf(environment, provider)
    if (protocol === null) continue
    vendors.set(provider, vendorVoice({ ...deps, protocol, voiceIds, defaultVoice }))
  }
  const vendorOf = (request: SpeechRequest) =>
    vendors.get((request.voice ?? defaultVoice).provider) ?? null
  // Below the fallbacks: what another voice has said is not kept for the one that was asked.
  const byProvider = keptSpeech({
    synthesize: (request, signal) =>
      (vendorOf(request) ?? deps.simulated).synthesize(request, signal),
  })
  const fallbacks = fallbacksIn(environment, [...vendors.keys()])
  const resilient = resilientTextToSpeech(byProvider, {
    ...deps,
    fallbacksOf(voice) {
      const asked = voice ?? defaultVoice
      const others = fallbacks.filter((provider) => provider !== asked.provider)
      // The last resort is the same voice over another connection.
      return [...others.map((provider) => similarVoice(asked, provider)), asked]
    },
    limits: {
      firstMs: numberOf(environment, 'VOICE_FIRST_CHUNK_MS', ANY_MS) ?? FIRST_MS,
      nextMs: numberOf(environment, 'VOICE_NEXT_CHUNK_MS', ANY_MS) ?? NEXT_MS,
      hedgeAfterMs: numberOf(environment, 'VOICE_HEDGE_AFTER_MS', ANY_MS) ?? null,
    },
  })
  return {
    synthesize: (request, signal) =>
      (vendorOf(request) === null ? byProvider : resilient).synthesize(request, signal),
    close() {
      for (const vendor of vendors.values()) vendor.close()
    },
  }
}

/** Who speaks when a voice does not: as `VOICE_FALLBACKS` says, or any that can be used. */
function fallbacksIn(
  environment: Environment,
  usable: readonly VoiceProvider[],
): readonly VoiceProvider[] {
  const names = textOf(environment, 'VOICE_FALLBACKS')?.split(',') ?? usable
  return names.map((wanted) => {
    const provider = usable.find((one) => one === wanted.trim())
    if (provider !== undefined) return provider
    throw new RangeError('VOICE_FALLBACKS must list providers that have a key')
  })
}

/** Of an assistant that has none: the first voice of the first provider that can be used. */
function defaultVoiceOf(environment: Environment): Voice {
  const wanted = textOf(environment, 'VOICE_DEFAULT')
  const found = VOICE_CATALOGUE.find(({ id, provider }) =>
    wanted === undefined ? textOf(environment, keyOf(provider)) !== undefined : id === wanted,
  )
  if (found === undefined && wanted !== undefined) {
    throw new RangeError('VOICE_DEFAULT must be the id of a voice of the catalogue')
  }
  const { id, provider } = found ?? VOICE_CATALOGUE[0]!
  return { id, provider }
}

function protocolOf(environment: Environment, provider: VoiceProvider): SpeechProtocol | null {
  const apiKey = textOf(environment, keyOf(provider))
  if (apiKey === undefined) return null
  const prefix = provider.toUpperCase()
  const url = urlOf(environment, `${prefix}_URL`, ['wss:', 'ws:'])
  const model = textOf(environment, `${prefix}_MODEL`)
  const options = {
    apiKey,
    ...(url !== undefined && { url }),
    ...(model !== undefined && { model }),
  }
  switch (provider) {
    case 'voice_provider_1': {
      const models = textMapOf(environment, `${prefix}_MODELS`) ?? {}
      const unknown = Object.keys(models).find((name) => !TTS_MODELS.some((one) => one === name))
      if (unknown !== undefined) {
        throw new RangeError(`${prefix}_MODELS must name ${TTS_MODELS.join(', ')} only`)
      }
      const version = textOf(environment, `${prefix}_VERSION`)
      return cartesiaProtocol({ ...options, models, ...(version !== undefined && { version }) })
    }
    case 'voice_provider_2':
      return elevenLabsProtocol(options)
    case 'voice_provider_3':
      return inworldProtocol(options)
  }
}

function keyOf(provider: VoiceProvider): string {
  return `${provider.toUpperCase()}_API_KEY`
}
