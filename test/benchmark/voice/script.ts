/** What happens in every call of the benchmark, over and over, by frames of 20 ms. */

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { FRAME_BYTES, FRAME_MS, framesOf } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'

/** One round: a question and its answer, another one, and an interruption of its answer. */
export const ROUND_FRAMES = 15_000 / FRAME_MS
/** A recogniser knows so much later that a turn is over, and what was said in the last moment. */
const FINAL_FRAMES = 400 / FRAME_MS
const INTERIM_EVERY_FRAMES = 200 / FRAME_MS

/** Both sound finished, so that the end of the turn is decided at once. */
const QUESTION = 'yes go ahead I think tomorrow at three please'
const INTERRUPTION = 'wait a moment I have a question please'

interface Line {
  readonly text: string
  readonly isInterruption: boolean
  readonly fromFrame: number
  readonly toFrame: number
}

const clips = readCalleeClips()
const clipFrames = (
  ...ids: readonly (typeof clips extends ReadonlyMap<infer Id, unknown> ? Id : never)[]
) => ids.flatMap((id) => framesOf(clips.get(id)!))

const question = clipFrames('yes_go_ahead', 'tomorrow_at_three')
const interruption = clipFrames('wait_a_moment')

const PLAN = [
  { atMs: 0, frames: question, text: QUESTION, isInterruption: false },
  { atMs: 6_000, frames: question, text: QUESTION, isInterruption: false },
  { atMs: 9_900, frames: interruption, text: INTERRUPTION, isInterruption: true },
]

export const LINES: readonly Line[] = PLAN.map(({ atMs, frames, text, isInterruption }) => ({
  text,
  isInterruption,
  fromFrame: atMs / FRAME_MS,
  toFrame: atMs / FRAME_MS + frames.length,
}))

/** The callee's frames of one round: their lines, and a line that hisses a little. */
export const ROUND: readonly Uint8Array[] = Array.from({ length: ROUND_FRAMES }, (_, at) => {
  for (const { atMs, frames } of PLAN) {
    const frame = frames[at - atMs / FRAME_MS]
    if (frame !== undefined) return frame
  }
  return encodeMulaw(Int16Array.from({ length: FRAME_BYTES }, () => (Math.random() - 0.5) * 20))
})

export type Recognised =
  | { readonly type: 'interim'; readonly text: string; readonly isInterruption: boolean }
  | {
      readonly type: 'final'
      readonly text: string
      readonly startFrame: number
      readonly endFrame: number
    }
  | { readonly type: 'endOfTurn' }

/** What a recogniser says when it has heard this frame of a round. */
export function recognisedAt(frame: number): readonly Recognised[] {
  return LINES.flatMap((line): readonly Recognised[] => {
    const { text, isInterruption, fromFrame, toFrame } = line
    if (frame === toFrame + FINAL_FRAMES) {
      return [
        { type: 'final', text, startFrame: fromFrame, endFrame: toFrame },
        { type: 'endOfTurn' },
      ]
    }
    const heard = frame - fromFrame
    const isDue = heard % INTERIM_EVERY_FRAMES === 0 || frame === toFrame
    if (heard <= 0 || frame > toFrame || !isDue) return []
    const words = text.split(' ')
    const count = Math.ceil((words.length * heard) / (toFrame - fromFrame))
    return [{ type: 'interim', text: words.slice(0, count).join(' '), isInterruption }]
  })
}

/** The model's answer, word by word; the first sentence is complete with word 15. */
export const ANSWER =
  'We are open until six on Friday evening, and you can call us any time. ' +
  'Parking is free in the street behind the building for all visitors. ' +
  'Would you like me to book a visit for you now?'
export const WORD_EVERY_MS = 5
export const FIRST_SENTENCE_WORDS = 15
/** A sentence takes so long to say. */
export const SENTENCE_MS = 850
