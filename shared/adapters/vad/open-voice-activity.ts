import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { VoiceActivityDetector } from '#shared/ports/voice-activity.ts'

import { energyVoiceActivity } from './energy.ts'
import { loadSileroRuntime, sileroVoiceActivity } from './silero.ts'

/** The best detector that works on this machine. Warns, and never throws, when it is not the model. */
export async function openVoiceActivity(
  deps: { readonly timers: Timers; readonly logger: Logger },
  load = loadSileroRuntime,
): Promise<VoiceActivityDetector> {
  try {
    return sileroVoiceActivity({ ...deps, runtime: await load() })
  } catch (error) {
    deps.logger.warn('No speech model on this machine: speech is told by its loudness', { error })
    return energyVoiceActivity()
  }
}
