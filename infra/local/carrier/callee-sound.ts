import { readFileSync } from 'node:fs'

import { CALLEE_CLIPS, type CalleeClipId } from '#shared/audio/clips/callee-clips.ts'
import { ToneWordDecoder } from '#shared/audio/tone-words.ts'
import { voicemailBeep } from '#shared/audio/tone.ts'
import { parseWav } from '#shared/audio/wav.ts'

/** The voice and the ears of the callees. All audio is mu-law 8 kHz. */
export interface CalleeSound {
  clip(id: CalleeClipId): Uint8Array
  /** The tone after which a voicemail records. */
  beep(): Uint8Array
  /** Ears for one call. */
  listen(): WordListener
}

export interface WordListener {
  /** Hears the next 20 ms; gives the words that became clear with it, mostly none. */
  hear(frame: Uint8Array): readonly string[]
}

/** The stored clips, and ears that understand an agent who speaks in tones. Throws without the files. */
export function recordedCalleeSound(): CalleeSound {
  const ids = Object.keys(CALLEE_CLIPS) as CalleeClipId[]
  const clips = new Map(ids.map((id) => [id, readClip(id)]))
  const beep = voicemailBeep()
  return {
    clip: (id) => clips.get(id)!,
    beep: () => beep,
    listen: () => {
      const decoder = new ToneWordDecoder()
      return { hear: (frame) => decoder.push(frame).map((word) => word.text) }
    },
  }
}

function readClip(id: CalleeClipId): Uint8Array {
  const file = new URL(import.meta.resolve(`#shared/audio/clips/${id}.wav`))
  return parseWav(readFileSync(file)).data
}
