import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { ClipRecogniser } from '#shared/audio/clip-recogniser.ts'
import type { RecognisedSpeech } from '#shared/audio/clip-recogniser.ts'
import { clipTemplates } from '#shared/audio/clip-templates.ts'
import { CALLEE_CLIPS } from '#shared/audio/clips/callee-clips.ts'
import { EnergyVad } from '#shared/audio/energy-vad.ts'
import { FRAME_MS } from '#shared/audio/frame.ts'
import { decodeMulaw } from '#shared/audio/mulaw.ts'

/** How a fake recogniser, or a fake speech-to-speech model, understands one caller. */
export interface FakeEars {
  /** Takes the next 20 ms of mu-law. */
  push(frame: Uint8Array): RecognisedSpeech[]
  /** Ends what is being said. */
  finalize(): RecognisedSpeech[]
}

const END_OF_TURN_MS = 300
let templates: ReturnType<typeof clipTemplates> | null = null

/** Knows the lines of the simulated callees by their sound. */
export function clipEars(): FakeEars {
  templates ??= clipTemplates(
    [...readCalleeClips()].map(([id, audio]) => ({ text: CALLEE_CLIPS[id].text, audio })),
  )
  return new ClipRecogniser({ templates, endOfTurnMs: END_OF_TURN_MS })
}

/** Interim texts of `energyEars` come this often. */
const INTERIM_FRAMES = 10

/**
 * Takes every stretch of sound for the next of `texts`, over and over: cheap, for benchmarks, and
 * for sounds that are no clip.
 */
export function energyEars(texts: readonly string[], endOfTurnMs = END_OF_TURN_MS): FakeEars {
  const vad = new EnergyVad()
  let frames = 0
  let soundFrom: number | null = null
  let soundUntil = 0
  let heard = 0

  const conclude = (): RecognisedSpeech[] => {
    if (soundFrom === null) return []
    const text = texts[heard++ % texts.length]!
    const startMs = soundFrom * FRAME_MS
    soundFrom = null
    return [{ type: 'final', text, startMs, endMs: soundUntil * FRAME_MS }]
  }
  return {
    push(frame) {
      frames += 1
      if (vad.push(decodeMulaw(frame)) > 0.5) {
        soundFrom ??= frames - 1
        soundUntil = frames
      }
      if (soundFrom === null) return []
      if ((frames - soundUntil) * FRAME_MS >= endOfTurnMs) {
        return [...conclude(), { type: 'endOfTurn' }]
      }
      const soFar = frames - soundFrom
      if (soFar % INTERIM_FRAMES !== 0) return []
      const words = texts[heard % texts.length]!.split(' ')
      return [{ type: 'interim', text: words.slice(0, soFar / INTERIM_FRAMES).join(' ') }]
    },
    finalize: conclude,
  }
}
