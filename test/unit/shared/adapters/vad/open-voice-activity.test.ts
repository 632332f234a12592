import { expect, it } from 'vitest'

import { openVoiceActivity } from '#shared/adapters/vad/open-voice-activity.ts'
import { SILENT_FRAME } from '#shared/audio/frame.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

import { recordingLogger } from './recording-logger.ts'

it('falls back to loudness, with the reason, when there is no model', async () => {
  const logger = recordingLogger()
  const missing = new Error('no native module')
  const vad = await openVoiceActivity({ timers: manualTimers(), logger }, () =>
    Promise.reject(missing),
  )
  const heard: number[] = []
  const stream = vad.open((probability) => heard.push(probability))
  for (let i = 0; i < 8; i++) stream.write(SILENT_FRAME)
  expect(heard).toEqual([0, 0, 0, 0, 0])
  expect(logger.lines).toMatchObject([{ level: 'warn', fields: { error: missing } }])
})
