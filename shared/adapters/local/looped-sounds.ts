import { readFileSync } from 'node:fs'

import { decodeMulaw } from '#shared/audio/mulaw.ts'
import type { SoundName } from '#shared/audio/sounds/sound-name.ts'
import { parseWav } from '#shared/audio/wav.ts'

const SOUNDS = new URL('../../audio/sounds/', import.meta.url)

/** Gives sounds by their names, as PCM at 8 kHz; each file is read when it is first asked for. */
export function loopedSounds(): (name: SoundName) => Int16Array {
  const known = new Map<SoundName, Int16Array>()
  return (name) => {
    const samples =
      known.get(name) ?? decodeMulaw(parseWav(readFileSync(new URL(`${name}.wav`, SOUNDS))).data)
    known.set(name, samples)
    return samples
  }
}
