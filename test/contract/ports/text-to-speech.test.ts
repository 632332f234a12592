import { afterAll, beforeAll, describe } from 'vitest'

import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import { simulatedVoice } from '#shared/adapters/tts/simulated-voice.ts'
import type { VendorVoice } from '#shared/adapters/tts/vendor-voice.ts'
import type { FakeVoice } from '#test/support/fakes/fake-cartesia.ts'

import { textToSpeechSuite } from './text-to-speech-suite.ts'
import { openVoice, VENDORS } from './vendor-voices.ts'

describe('the voice in tones', () => {
  textToSpeechSuite(simulatedTones)
})

describe('the simulated voice', () => {
  const voice = simulatedVoice()
  afterAll(() => voice.close())
  textToSpeechSuite(() => voice)
})

describe.each(VENDORS)('$provider', (vendor) => {
  let fake: FakeVoice
  let voice: VendorVoice
  beforeAll(async () => {
    fake = await vendor.start()
    voice = openVoice(vendor, fake).voice
  })
  afterAll(async () => {
    voice.close()
    await fake[Symbol.asyncDispose]()
  })
  textToSpeechSuite(() => voice)
})
