import { cartesiaProtocol } from '#shared/adapters/tts/cartesia.ts'
import { elevenLabsProtocol } from '#shared/adapters/tts/elevenlabs.ts'
import { inworldProtocol } from '#shared/adapters/tts/inworld.ts'
import type { SpeechProtocol } from '#shared/adapters/tts/speech-protocol.ts'
import { vendorVoice } from '#shared/adapters/tts/vendor-voice.ts'
import type { VendorVoice } from '#shared/adapters/tts/vendor-voice.ts'
import type { VoiceProvider } from '#shared/domain/assistant.ts'
import { CARTESIA_KEY, startFakeCartesia } from '#test/support/fakes/fake-cartesia.ts'
import type { FakeVoice, FakeVoiceOptions } from '#test/support/fakes/fake-cartesia.ts'
import { ELEVENLABS_KEY, startFakeElevenLabs } from '#test/support/fakes/fake-elevenlabs.ts'
import { INWORLD_KEY, startFakeInworld } from '#test/support/fakes/fake-inworld.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import type { ManualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

interface VendorUnderTest {
  readonly provider: VoiceProvider
  readonly start: (options?: FakeVoiceOptions) => Promise<FakeVoice>
  readonly protocol: (fake: { readonly url: string }, apiKey?: string) => SpeechProtocol
}

export const VENDORS: readonly VendorUnderTest[] = [
  {
    provider: 'voice_provider_1',
    start: startFakeCartesia,
    protocol: ({ url }, apiKey = CARTESIA_KEY) => cartesiaProtocol({ apiKey, url }),
  },
  {
    provider: 'voice_provider_2',
    start: (options = {}) => startFakeElevenLabs({ timers: manualTimers(), ...options }),
    protocol: ({ url }, apiKey = ELEVENLABS_KEY) => elevenLabsProtocol({ apiKey, url }),
  },
  {
    provider: 'voice_provider_3',
    start: startFakeInworld,
    protocol: ({ url }, apiKey = INWORLD_KEY) => inworldProtocol({ apiKey, url }),
  },
]

/** The adapter of a vendor, connected to its fake; its timers and what it logged. */
export function openVoice(
  vendor: VendorUnderTest,
  fake: { readonly url: string },
  apiKey?: string,
): { voice: VendorVoice; timers: ManualTimers; logger: ReturnType<typeof collectingLogger> } {
  const timers = manualTimers()
  const logger = collectingLogger()
  const voice = vendorVoice({
    protocol: vendor.protocol(fake, apiKey),
    timers,
    logger,
    voiceIds: { 'vp1-charlotte': 'vendors-charlotte' },
    defaultVoice: { id: 'default-voice', provider: vendor.provider },
  })
  return { voice, timers, logger }
}
