import { readFileSync } from 'node:fs'

import type { CalleeClipId } from '#shared/audio/clips/callee-clips.ts'
import { CALLEE_CLIPS } from '#shared/audio/clips/callee-clips.ts'
import { parseWav } from '#shared/audio/wav.ts'

const CLIPS = new URL('../../audio/clips/', import.meta.url)

/** The stored audio of every line of the simulated callees: mu-law 8 kHz, whole frames. */
export function readCalleeClips(): ReadonlyMap<CalleeClipId, Uint8Array> {
  const ids = Object.keys(CALLEE_CLIPS) as CalleeClipId[]
  return new Map(ids.map((id) => [id, parseWav(readFileSync(new URL(`${id}.wav`, CLIPS))).data]))
}
