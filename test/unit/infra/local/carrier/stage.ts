import type { CalleeSound } from '#infra/local/carrier/callee-sound.ts'
import type { Callee } from '#infra/local/carrier/callee.ts'
import { Handset } from '#infra/local/carrier/handset.ts'
import { CALLEE_CLIPS } from '#shared/audio/clips/callee-clips.ts'
import { FRAME_BYTES, FRAME_MS, framesOf, SILENT_FRAME } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { tonePcm } from '#shared/audio/tone.ts'
import { dtmfTones } from '#voice/media/dtmf.ts'

/** Every sentence and the beep take this long on the stage. */
export const CLIP_MS = 1_000

export const LOUD_FRAME = encodeMulaw(tonePcm({ hz: [700], ms: FRAME_MS, amplitude: 6_000 }))

const CLIP = new Uint8Array((CLIP_MS / FRAME_MS) * FRAME_BYTES).fill(0x10)

/** Sentences of one second; the ears hear what the frame begins with, written out as bytes. */
export function stageSound(hear: (frame: Uint8Array) => readonly string[] = () => []): CalleeSound {
  return { clip: () => CLIP, beep: () => CLIP, listen: () => ({ hear }) }
}

export interface Happening {
  readonly atMs: number
  readonly what: string
}

export interface PlayOptions {
  readonly callee: Callee
  /** When the agent speaks: [from, to) in ms. */
  readonly agent?: readonly (readonly [number, number])[]
  /** Keys that the agent presses, by ms. */
  readonly keys?: Readonly<Record<number, string>>
  /** Words that the callee makes out, by ms. */
  readonly words?: Readonly<Record<number, string>>
  readonly forMs: number
}

/** Plays a scene; tells when the callee began each sentence, pressed keys, and hung up. */
export function play({
  callee,
  agent = [],
  keys = {},
  words = {},
  forMs,
}: PlayOptions): Happening[] {
  let atMs = 0
  const sound = stageSound(() => {
    const word = words[atMs]
    return word === undefined ? [] : [word]
  })
  const happenings: Happening[] = []
  const pressed: Uint8Array[] = []
  const clipIds = new Map<string, string>(
    Object.entries(CALLEE_CLIPS).map(([id, { text }]) => [text, id]),
  )
  const handset = new Handset({ callee, sound })
  for (; atMs < forMs; atMs += FRAME_MS) {
    const saidBefore = handset.said.length
    const isLoud = agent.some(([from, to]) => atMs >= from && atMs < to)
    pressed.push(...framesOf(dtmfTones(keys[atMs] ?? '')))
    const moment = handset.exchange(pressed.shift() ?? (isLoud ? LOUD_FRAME : SILENT_FRAME))
    for (const text of handset.said.slice(saidBefore)) {
      happenings.push({ atMs, what: clipIds.get(text) ?? text })
    }
    if (moment.digits !== '') happenings.push({ atMs, what: `keys ${moment.digits}` })
    if (moment.hungUp) return [...happenings, { atMs, what: 'hangs up' }]
  }
  return happenings
}
