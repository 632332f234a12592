import type { Verdict } from './hear-opening.ts'
import type { HeardSound } from './heard-sound.ts'

/** LiveKit's timings (reference/media-spikes.md 6). */
const PERSON_SPEECH_MS = 2_500
const PERSON_SILENCE_MS = 500
const MACHINE_SILENCE_MS = 1_500
const NOBODY_MS = 10_000

/** The baseline: what the lengths of speech and silence alone say, without a word. */
export function cadenceVerdict(heard: readonly HeardSound[], untilMs: number): Verdict {
  let speechMs = 0
  let startedAtMs: number | null = null
  let endedAtMs: number | null = null
  for (let atMs = 0; atMs <= untilMs; atMs += 20) {
    for (const event of heard.filter((each) => each.atMs > atMs - 20 && each.atMs <= atMs)) {
      if (event.type === 'speechStarted') startedAtMs = event.startedAtMs
      if (event.type === 'speechEnded') {
        speechMs += event.endedAtMs - (startedAtMs ?? event.endedAtMs)
        startedAtMs = null
        endedAtMs = event.endedAtMs
      }
    }
    const silenceMs = startedAtMs === null && endedAtMs !== null ? atMs - endedAtMs : 0
    if (speechMs > 0 && speechMs <= PERSON_SPEECH_MS && silenceMs >= PERSON_SILENCE_MS) {
      return { atMs, result: 'human' }
    }
    if (speechMs > PERSON_SPEECH_MS && silenceMs >= MACHINE_SILENCE_MS) {
      return { atMs, result: 'voicemail' }
    }
    if (speechMs === 0 && startedAtMs === null && atMs >= NOBODY_MS) break
  }
  return { atMs: untilMs, result: 'unknown' }
}
