import { beforeAll, describe } from 'vitest'

import { energyVoiceActivity } from '#shared/adapters/vad/energy.ts'
import type { SileroRuntime } from '#shared/adapters/vad/silero.ts'
import { loadSileroRuntime, sileroVoiceActivity } from '#shared/adapters/vad/silero.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

import { voiceActivitySuite } from './voice-activity-suite.ts'

const logger = {
  info: () => {},
  warn: () => {},
  error: (message: string, fields?: object) => {
    throw new Error(message, { cause: fields })
  },
}

describe('Silero', () => {
  let runtime: SileroRuntime
  beforeAll(async () => {
    runtime = await loadSileroRuntime()
  })

  voiceActivitySuite(async () => {
    const timers = manualTimers()
    /** The model blocks in a later turn of the event loop for every window. */
    const settle = async (): Promise<void> => {
      while (timers.waiting().length > 0) {
        timers.fire(10)
        for (let turn = 0; turn < 1_000; turn++) await new Promise((next) => setImmediate(next))
      }
    }
    return { detector: sileroVoiceActivity({ runtime, timers, logger }), settle }
  })
})

describe('voice activity by energy', () => {
  voiceActivitySuite(async () => ({ detector: energyVoiceActivity(), settle: async () => {} }))
})
