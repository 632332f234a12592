import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { SpeechChange } from '#voice/media/speech-segmenter.ts'
import { SILENT, VAD_WINDOW_MS, advanceSegmenter } from '#voice/media/speech-segmenter.ts'

/** `s` speech, `m` in between, anything else silence. */
const PROBABILITIES: Readonly<Record<string, number>> = { s: 0.9, m: 0.4 }

function segment(windows: string): SpeechChange[] {
  let state = SILENT
  return windows.split('').flatMap((window, index) => {
    const atMs = (index + 1) * VAD_WINDOW_MS
    const step = advanceSegmenter(state, { probability: PROBABILITIES[window] ?? 0, atMs })
    state = step.state
    return step.change ?? []
  })
}

const started = (windows: number): SpeechChange => ({
  type: 'speechStarted',
  startedAtMs: windows * VAD_WINDOW_MS,
})
const ended = (windows: number): SpeechChange => ({
  type: 'speechEnded',
  endedAtMs: windows * VAD_WINDOW_MS,
})

describe('the segmenter', () => {
  it.each<[string, string, SpeechChange[]]>([
    ['two windows are not speech yet', '--ss---', []],
    ['three are, from the first of them', '--sss', [started(2)]],
    ['a click spoils the count', '--ss-ss-', []],
    ['doubt does not start speech', 'mmmmmm', []],
    ['three silent windows are no pause', 'sss---s', [started(0)]],
    ['four are, from the first of them', 'ssss----', [started(0), ended(4)]],
    ['doubt keeps speech going', 'sss--m---mmm', [started(0)]],
    ['a pause is over when speech is confirmed', 'sss----sss', [started(0), ended(3), started(7)]],
  ])('%s', (_, windows, changes) => {
    expect(segment(windows)).toEqual(changes)
  })

  it('alternates, in order of time, and never dates a change after its window', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[sm-]{0,80}$/), (windows) => {
        const changes = segment(windows)
        const kinds = changes.map(({ type }) => type)
        expect(kinds).toEqual(kinds.map((_, i) => (i % 2 ? 'speechEnded' : 'speechStarted')))
        const times = changes.map((c) => (c.type === 'speechStarted' ? c.startedAtMs : c.endedAtMs))
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(times.every((ms) => ms <= windows.length * VAD_WINDOW_MS)).toBe(true)
      }),
    )
  })
})
