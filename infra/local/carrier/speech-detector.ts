import { FRAME_MS } from '#shared/audio/frame.ts'

/** Whether somebody is heard to speak; fed with 20 ms of mu-law at a time. */
export interface SpeechDetector {
  readonly elapsedMs: number
  readonly isSpeech: boolean
  /** Since when every frame has said the opposite of `isSpeech`; null when the last one agreed. */
  readonly turningSinceMs: number | null
}

export type SpeechEdge =
  | { readonly type: 'agentSpeechStarted'; readonly startedAtMs: number }
  | { readonly type: 'agentSpeechEnded'; readonly endedAtMs: number }

const STARTS_AFTER_MS = 40
/** Longer than the gaps inside words. */
const ENDS_AFTER_MS = 200
/** About -28 dB of full scale, as the magnitude bits of a mu-law byte: background sounds are quieter. */
const LOUD = 54
/** Loud samples of the 160 in a frame that make it a loud one. */
const LOUD_SAMPLES = 8

export const SILENT: SpeechDetector = { elapsedMs: 0, isSpeech: false, turningSinceMs: null }

/** Loudness alone: the simulated line has no noise. */
export function detectSpeech(
  detector: SpeechDetector,
  frame: Uint8Array,
): { readonly detector: SpeechDetector; readonly edge: SpeechEdge | null } {
  const startMs = detector.elapsedMs
  const elapsedMs = startMs + FRAME_MS
  if (isLoud(frame) === detector.isSpeech) {
    return { detector: { ...detector, elapsedMs, turningSinceMs: null }, edge: null }
  }
  const since = detector.turningSinceMs ?? startMs
  const needed = detector.isSpeech ? ENDS_AFTER_MS : STARTS_AFTER_MS
  if (elapsedMs - since < needed) {
    return { detector: { ...detector, elapsedMs, turningSinceMs: since }, edge: null }
  }
  return {
    detector: { elapsedMs, isSpeech: !detector.isSpeech, turningSinceMs: null },
    edge: detector.isSpeech
      ? { type: 'agentSpeechEnded', endedAtMs: since }
      : { type: 'agentSpeechStarted', startedAtMs: since },
  }
}

function isLoud(frame: Uint8Array): boolean {
  let loudSamples = 0
  for (const byte of frame) if ((~byte & 0x7f) >= LOUD) loudSamples += 1
  return loudSamples >= LOUD_SAMPLES
}
