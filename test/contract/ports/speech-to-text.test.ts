import { afterAll, beforeAll, describe } from 'vitest'

import { simulatedSpeechToText } from '#shared/adapters/stt/simulated.ts'
import { sonioxSpeechToText } from '#shared/adapters/stt/soniox.ts'
import { startFakeSoniox, SONIOX_KEY } from '#test/support/fakes/fake-soniox.ts'
import type { FakeSoniox } from '#test/support/fakes/fake-soniox.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

import { speechToTextSuite } from './speech-to-text-suite.ts'

describe('the simulated recogniser', () => {
  const speechToText = simulatedSpeechToText()
  speechToTextSuite(async () => ({ speechToText, settle: async () => {} }))
})

describe('stt-rt', () => {
  let fake: FakeSoniox
  beforeAll(async () => {
    fake = await startFakeSoniox({ timers: manualTimers() })
  })
  afterAll(() => fake[Symbol.asyncDispose]())

  speechToTextSuite(async () => {
    const speechToText = sonioxSpeechToText({
      apiKey: SONIOX_KEY,
      url: fake.url,
      timers: manualTimers(),
      logger: collectingLogger(),
    })
    const before = fake.connections.length
    let bytes = 0
    let controls = 1
    let isClosed = false
    return {
      speechToText: {
        open(options, listener) {
          const stream = speechToText.open(options, listener)
          return {
            write(frame) {
              bytes += frame.length
              stream.write(frame)
            },
            finalize() {
              controls += 1
              stream.finalize()
            },
            close() {
              isClosed = true
              stream.close()
            },
          }
        },
      },
      async settle() {
        if (isClosed) return fake.until(() => fake.openSockets() === 0)
        await fake.until(() => {
          const connection = fake.connections[before]
          return connection?.binaryBytes === bytes && connection.received.length === controls
        })
        await fake.connections[before]?.readToHere()
      },
    }
  })
})
