import { EnergyVad } from '#shared/audio/energy-vad.ts'
import type { VoiceActivityDetector } from '#shared/ports/voice-activity.ts'

import { SpeechWindows } from './speech-windows.ts'

/** Speech by loudness, without a native module: deaf below 20 dB over noise, and takes tones for speech. */
export function energyVoiceActivity(): VoiceActivityDetector {
  return {
    open: (listener) => {
      const windows = new SpeechWindows()
      const vad = new EnergyVad()
      let isOpen = true
      return {
        write: (frame) => {
          if (isOpen) for (const window of windows.push(frame)) listener(vad.push(window))
        },
        close: () => {
          isOpen = false
        },
      }
    },
  }
}
