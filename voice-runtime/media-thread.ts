import { workerData } from 'node:worker_threads'

import { loopedSounds } from '#shared/adapters/local/looped-sounds.ts'
import { monotonicClock } from '#shared/adapters/local/monotonic-clock.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import { openVoiceActivity } from '#shared/adapters/vad/open-voice-activity.ts'

import { hostMedia } from './media-worker/host-media.ts'
import type { MediaThreadStart } from './media-worker/media-messages.ts'

/** The program of the media thread. */
const { port, server, speed } = workerData as MediaThreadStart

await hostMedia(
  {
    port,
    clock: monotonicClock(speed),
    timers: { after: (delayMs, run) => systemTimers.after(delayMs / speed, run) },
    openVoiceActivity,
    exit: () => process.exit(),
    soundOf: loopedSounds(),
  },
  server,
)
