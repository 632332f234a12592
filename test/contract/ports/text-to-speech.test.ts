import { afterAll, describe } from 'vitest'

import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import { simulatedVoice } from '#shared/adapters/tts/simulated-voice.ts'

import { textToSpeechSuite } from './text-to-speech-suite.ts'

describe('the voice in tones', () => {
  textToSpeechSuite(simulatedTones)
})

describe('the simulated voice', () => {
  const voice = simulatedVoice()
  afterAll(() => voice.close())
  textToSpeechSuite(() => voice)
})
