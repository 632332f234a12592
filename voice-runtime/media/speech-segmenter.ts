/** From probabilities of speech to the begin and pause of it, with hysteresis. Ending turns is the engine's. */

/** Length of one window of the detector. */
export const VAD_WINDOW_MS = 32
/** Speech in this many windows in a row confirms a start: 96 ms. */
const CONFIRMING_WINDOWS = 3
/** This many windows without confirm a pause: 128 ms. Closures within words are shorter. */
const PAUSE_WINDOWS = 4
/** A window counts as speech from here, and keeps on counting down to there. */
const START_PROBABILITY = 0.5
const STAY_PROBABILITY = 0.35

export interface SegmenterState {
  readonly speaking: boolean
  /** Windows in a row that speak for a change: of speech while silent, of silence while speaking. */
  readonly run: number
}

export type SpeechChange =
  | { readonly type: 'speechStarted'; readonly startedAtMs: number }
  | { readonly type: 'speechEnded'; readonly endedAtMs: number }

export const SILENT: SegmenterState = { speaking: false, run: 0 }

/** Takes the next window, which ended at `atMs` of media time; times of changes are back-dated to it. */
export function advanceSegmenter(
  state: SegmenterState,
  window: { readonly probability: number; readonly atMs: number },
): { readonly state: SegmenterState; readonly change: SpeechChange | null } {
  const isSpeech = window.probability >= (state.speaking ? STAY_PROBABILITY : START_PROBABILITY)
  if (isSpeech === state.speaking) return { state: { ...state, run: 0 }, change: null }
  const run = state.run + 1
  if (run < (state.speaking ? PAUSE_WINDOWS : CONFIRMING_WINDOWS)) {
    return { state: { ...state, run }, change: null }
  }
  const turnedAtMs = Math.max(0, window.atMs - run * VAD_WINDOW_MS)
  return {
    state: { speaking: !state.speaking, run: 0 },
    change: state.speaking
      ? { type: 'speechEnded', endedAtMs: turnedAtMs }
      : { type: 'speechStarted', startedAtMs: turnedAtMs },
  }
}
