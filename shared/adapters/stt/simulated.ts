import { ClipRecogniser } from '#shared/audio/clip-recogniser.ts'
import type { KnownClip } from '#shared/audio/clip-templates.ts'
import { clipTemplates } from '#shared/audio/clip-templates.ts'
import { CALLEE_CLIPS } from '#shared/audio/clips/callee-clips.ts'
import { framesOf } from '#shared/audio/frame.ts'
import type { SpeechToText } from '#shared/ports/speech-to-text.ts'

import { readCalleeClips } from './callee-clip-audio.ts'

const END_OF_TURN_MS = 300

/**
 * A recogniser for tests and the local stack: knows the lines of the simulated callees by their sound,
 * from the frames it is given and nothing else. Whatever else it hears it does not understand.
 * `endOfTurnMs`: silence that ends a turn.
 */
export function simulatedSpeechToText(
  options: { readonly clips?: readonly KnownClip[]; readonly endOfTurnMs?: number } = {},
): SpeechToText {
  const templates = clipTemplates(options.clips ?? calleeClips())
  return {
    open: (_options, listener) => {
      const endOfTurnMs = options.endOfTurnMs ?? END_OF_TURN_MS
      const recogniser = new ClipRecogniser({ templates, endOfTurnMs })
      let isOpen = true
      return {
        write: (audio) => {
          for (const frame of framesOf(audio)) {
            if (isOpen) for (const event of recogniser.push(frame)) listener(event)
          }
        },
        finalize: () => {
          if (isOpen) for (const event of recogniser.finalize()) listener(event)
        },
        close: () => {
          isOpen = false
        },
      }
    },
  }
}

function calleeClips(): KnownClip[] {
  return [...readCalleeClips()].map(([id, audio]) => ({ text: CALLEE_CLIPS[id].text, audio }))
}
