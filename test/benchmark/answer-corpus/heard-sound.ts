import { setImmediate } from 'node:timers/promises'

import { loadSileroRuntime, sileroVoiceActivity } from '#shared/adapters/vad/silero.ts'
import { FRAME_MS, framesOf } from '#shared/audio/frame.ts'
import type { VoiceActivityDetector } from '#shared/ports/voice-activity.ts'
import { advanceSegmenter, SILENT, VAD_WINDOW_MS } from '#voice/media/speech-segmenter.ts'
import type { SpeechChange } from '#voice/media/speech-segmenter.ts'
import { ToneDetector } from '#voice/media/tone-detector.ts'
import type { ToneChange } from '#voice/media/tone-detector.ts'

export type HeardSound = { readonly atMs: number } & (
  | SpeechChange
  | (ToneChange & { readonly type: 'toneEnded' })
)

/** The production's speech model, driven as fast as it goes. */
export async function openSpeechModel(): Promise<VoiceActivityDetector> {
  return sileroVoiceActivity({
    runtime: await loadSileroRuntime(),
    timers: {
      after: (_ms, run) => {
        const soon = globalThis.setImmediate(run)
        return () => clearImmediate(soon)
      },
    },
    logger: { info() {}, warn() {}, error() {} },
  })
}

/** What the production's ears make of an opening's audio: the model's speech, and tones. */
export async function heardSound(
  model: VoiceActivityDetector,
  audio: Uint8Array,
): Promise<readonly HeardSound[]> {
  const heard: HeardSound[] = []
  const tones = new ToneDetector()
  let segmenter = SILENT
  let windows = 0
  const stream = model.open((probability) => {
    windows += 1
    const atMs = windows * VAD_WINDOW_MS
    const { state, change } = advanceSegmenter(segmenter, { probability, atMs })
    segmenter = state
    if (change !== null) heard.push({ atMs, ...change })
  })
  for (const [index, frame] of framesOf(audio).entries()) {
    stream.write(frame)
    const tone = tones.push(frame)
    const atMs = (index + 1) * FRAME_MS
    if (tone?.type === 'toneEnded') heard.push({ atMs, ...tone })
    const due = Math.floor(atMs / VAD_WINDOW_MS)
    await until(() => windows >= due)
  }
  stream.close()
  return heard.toSorted((a, b) => a.atMs - b.atMs)
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}
