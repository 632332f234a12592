import { describe, expect, it } from 'vitest'

import { FRAME_BYTES } from '#shared/audio/frame.ts'
import type { SttEvent, SttOptions } from '#shared/ports/speech-to-text.ts'
import type { EventWithoutTime } from '#voice/session/event-without-time.ts'
import { Recogniser } from '#voice/session/recogniser.ts'

import { ManualTime } from './manual-time.ts'
import { collectingLogger } from './scripted-vendors.ts'

interface Stream {
  readonly options: SttOptions
  readonly frames: number[]
  readonly report: (event: SttEvent) => void
  isClosed: boolean
}

function open() {
  const time = new ManualTime()
  const streams: Stream[] = []
  const events: EventWithoutTime[] = []
  const recogniser = new Recogniser({
    speechToText: {
      open(options, report) {
        const stream: Stream = { options, frames: [], report, isClosed: false }
        streams.push(stream)
        return {
          write: (frame) => void stream.frames.push(frame[0] ?? -1),
          finalize: () => undefined,
          close: () => (stream.isClosed = true),
        }
      },
    },
    timers: time,
    logger: collectingLogger(),
    assistant: {
      sttModel: 'stt-rt-v5',
      sttContext: { general: [], terms: ['Parley'] },
      voice: { id: 'vp1-charlotte', provider: 'voice_provider_1' },
    },
    reference: 'ses_1',
    emit: (event) => events.push(event),
  })
  let written = 0
  const write = (count: number) => {
    for (let frame = 0; frame < count; frame += 1) {
      recogniser.write(new Uint8Array(FRAME_BYTES).fill(written % 250), 40 + written * 20)
      written += 1
    }
  }
  const fail = (index: number) => streams[index]?.report({ type: 'failed', error: new Error('x') })
  return { time, streams, events, recogniser, write, fail }
}

describe('the recogniser', () => {
  it('opens a stream as the assistant says, and tells times of the session', () => {
    const { streams, events, write } = open()
    write(50)
    streams[0]?.report({ type: 'interim', text: 'good' })
    streams[0]?.report({ type: 'final', text: 'good day', startMs: 100, endMs: 600 })
    streams[0]?.report({ type: 'endOfTurn' })
    expect(streams[0]?.options).toEqual({
      model: 'stt-rt-v5',
      languageHints: ['fr'],
      context: { general: [], terms: ['Parley'] },
      reference: 'ses_1',
    })
    expect(events).toEqual([
      { type: 'interimTranscript', text: 'good' },
      { type: 'finalTranscript', text: 'good day', startedAtMs: 140, endedAtMs: 640 },
      { type: 'endOfTurnHint' },
    ])
  })

  it('gives a new stream what the failed one had not recognised', async () => {
    const { time, streams, events, write, fail } = open()
    write(10)
    streams[0]?.report({ type: 'final', text: 'one', startMs: 0, endMs: 100 })
    write(2)
    fail(0)
    write(3)
    await time.pass(0)
    write(1)
    expect(streams).toHaveLength(2)
    expect(streams[0]?.isClosed).toBe(true)
    // Five frames were covered by the final transcript.
    expect(streams[1]?.frames).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    streams[1]?.report({ type: 'final', text: 'two', startMs: 0, endMs: 60 })
    expect(events.at(-1)).toEqual({
      type: 'finalTranscript',
      text: 'two',
      startedAtMs: 140,
      endedAtMs: 200,
    })
  })

  it('keeps at most 10 s for a new stream', async () => {
    const { time, streams, write, fail } = open()
    fail(0)
    write(700)
    await time.pass(0)
    expect(streams[1]?.frames).toHaveLength(500)
    expect(streams[1]?.frames[0]).toBe(200)
  })

  it('waits longer and longer, and gives up after six failures in a row', async () => {
    const { time, streams, events, write, fail } = open()
    for (const waitMs of [0, 500, 1_000, 2_000, 4_000]) {
      fail(streams.length - 1)
      await time.pass(waitMs)
      write(1)
    }
    expect(streams).toHaveLength(6)
    expect(events).toEqual([])
    fail(5)
    expect(events).toEqual([{ type: 'recogniserFailed' }])
    expect(time.waiting).toBe(0)
  })

  it('counts failures anew after a success', async () => {
    const { time, streams, events, fail } = open()
    for (let round = 0; round < 10; round += 1) {
      fail(streams.length - 1)
      await time.pass(0)
      streams.at(-1)?.report({ type: 'interim', text: 'well' })
    }
    expect(streams).toHaveLength(11)
    expect(events).not.toContainEqual({ type: 'recogniserFailed' })
  })

  it('listens neither to a stream that it gave up nor after its end', async () => {
    const { time, streams, events, recogniser, fail } = open()
    fail(0)
    fail(0)
    await time.pass(0)
    streams[0]?.report({ type: 'interim', text: 'late' })
    expect(streams).toHaveLength(2)
    recogniser.close()
    fail(1)
    streams[1]?.report({ type: 'interim', text: 'late' })
    await time.pass(10_000)
    expect(events).toEqual([])
    expect(streams.map((stream) => stream.isClosed)).toEqual([true, true])
  })
})
