import { describe } from 'vitest'

import { simulatedSpeechToText } from '#shared/adapters/stt/simulated.ts'

import { speechToTextSuite } from './speech-to-text-suite.ts'

describe('the simulated recogniser', () => {
  const speechToText = simulatedSpeechToText()
  speechToTextSuite(async () => ({ speechToText, settle: async () => {} }))
})
