import { describe, expect, it } from 'vitest'

import { detectSpeech, SILENT, type SpeechEdge } from '#infra/local/carrier/speech-detector.ts'
import { SILENT_FRAME } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { tonePcm } from '#shared/audio/tone.ts'

const frameOf = (amplitude: number) => encodeMulaw(tonePcm({ hz: [440], ms: 20, amplitude }))

/** `L` is a loud frame, `.` a silent one. */
function edges(line: string): (SpeechEdge & { seenAtMs: number })[] {
  let detector = SILENT
  return line.split('').flatMap((sign) => {
    const step = detectSpeech(detector, sign === 'L' ? frameOf(6_000) : SILENT_FRAME)
    detector = step.detector
    return step.edge === null ? [] : [{ ...step.edge, seenAtMs: detector.elapsedMs }]
  })
}

describe('detectSpeech', () => {
  it.each([
    ['silence is none', '.'.repeat(50), []],
    ['one loud frame is none', '..L....', []],
    [
      'two loud frames start speech where the first began',
      '..LL',
      [{ type: 'agentSpeechStarted', startedAtMs: 40, seenAtMs: 80 }],
    ],
    [
      'a gap shorter than 200 ms does not end it',
      `LL${'.'.repeat(9)}L`,
      [{ type: 'agentSpeechStarted', startedAtMs: 0, seenAtMs: 40 }],
    ],
    [
      '200 ms of silence end it where they began',
      `LL${'.'.repeat(10)}`,
      [
        { type: 'agentSpeechStarted', startedAtMs: 0, seenAtMs: 40 },
        { type: 'agentSpeechEnded', endedAtMs: 40, seenAtMs: 240 },
      ],
    ],
  ])('%s', (_, line, expected) => {
    expect(edges(line)).toEqual(expected)
  })

  it.each([
    [200, false],
    [800, false],
    [2_000, true],
    [30_000, true],
  ])('takes a tone with a peak of %i for speech: %s', (amplitude, expected) => {
    let detector = SILENT
    for (let i = 0; i < 3; i++) detector = detectSpeech(detector, frameOf(amplitude)).detector
    expect(detector.isSpeech).toBe(expected)
  })
})
