import { loopedSounds } from '#shared/adapters/local/looped-sounds.ts'
import type { Clock, Timers } from '#shared/ports/clock.ts'
import type { VoiceActivityDetector } from '#shared/ports/voice-activity.ts'
import { MemoryFile } from '#test/support/recorded-sound.ts'
import { LiveMedia } from '#voice/media-worker/live-media.ts'
import type { MediaChannel } from '#voice/media-worker/media-channel.ts'
import { startTicker } from '#voice/media-worker/ticker.ts'

import { scriptedVoiceActivity } from '../session/scripted-callee.ts'
import { collectingLogger } from '../session/scripted-vendors.ts'

/** The media of one call in virtual time, in this thread. */
export function liveScriptedMedia(
  time: Clock & Timers,
  channel: MediaChannel,
  voiceActivity: VoiceActivityDetector = scriptedVoiceActivity,
): LiveMedia {
  return new LiveMedia(
    {
      clock: time,
      ticker: startTicker({ clock: time, timers: time }),
      voiceActivity,
      logger: collectingLogger(),
      openSoundFile: () => new MemoryFile(),
      soundOf: loopedSounds(),
    },
    channel,
  )
}
