import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { FRAME_BYTES, FRAME_MS } from '#shared/audio/frame.ts'
import { decodeMulaw } from '#shared/audio/mulaw.ts'
import { parseWav, wavChannels } from '#shared/audio/wav.ts'
import { StereoRecording } from '#voice/media/stereo-recording.ts'

const LOUD = 0x90
const frame = (code = LOUD): Uint8Array => new Uint8Array(FRAME_BYTES).fill(code)
const valueOf = (code: number): number => decodeMulaw(Uint8Array.of(code))[0]!
const channels = (recording: StereoRecording): Int16Array[] =>
  wavChannels(parseWav(recording.toWav()))

describe('StereoRecording', () => {
  it('has the callee left and the agent right, each at its time', () => {
    const recording = new StereoRecording({ maxMs: 10_000 })
    recording.addCallee(20, frame(0x90))
    recording.addAgent(60, frame(0xa0))
    const wav = parseWav(recording.toWav())
    expect(wav).toMatchObject({ encoding: 'pcm16', sampleRateHz: 8_000, channels: 2 })
    const [callee, agent] = wavChannels(wav)
    const parts = (channel: Int16Array) =>
      [0, 20, 40, 60].map((ms) => [...new Set(channel.subarray(ms * 8, (ms + 20) * 8))])
    expect(parts(callee!)).toEqual([[0], [valueOf(0x90)], [0], [0]])
    expect(parts(agent!)).toEqual([[0], [0], [0], [valueOf(0xa0)]])
    expect(recording.durationMs).toBe(80)
  })

  it('is the same whatever the order in which frames come', () => {
    const pieces = fc.uniqueArray(fc.nat({ max: 200 }), { maxLength: 20 })
    fc.assert(
      fc.property(pieces, pieces, (callee, agent) => {
        const record = (callee: readonly number[], agent: readonly number[]): Uint8Array => {
          const recording = new StereoRecording({ maxMs: 60_000 })
          for (const at of callee) recording.addCallee(at * FRAME_MS, frame(at))
          for (const at of agent) recording.addAgent(at * FRAME_MS, frame(at))
          return recording.toWav()
        }
        expect(record(callee, agent)).toEqual(record(callee.toReversed(), agent.toReversed()))
      }),
      { numRuns: 30 },
    )
  })

  it('keeps every sample across its blocks', () => {
    const recording = new StereoRecording({ maxMs: 10_000 })
    recording.addCallee(990.5, frame())
    const [callee] = channels(recording)
    expect(callee!.filter((sample) => sample === valueOf(LOUD))).toHaveLength(FRAME_BYTES)
    expect(callee!.indexOf(valueOf(LOUD))).toBe(7_924)
  })

  it('takes the later of two frames at the same time', () => {
    const recording = new StereoRecording({ maxMs: 1_000 })
    recording.addAgent(0, frame(0xa0))
    recording.addAgent(0, frame(0x90))
    expect([...new Set(channels(recording)[1])]).toEqual([valueOf(0x90)])
  })

  it('records nothing outside the call', () => {
    const recording = new StereoRecording({ maxMs: 100 })
    for (const atMs of [-1, 81, 1e9]) recording.addCallee(atMs, frame())
    expect(recording.durationMs).toBe(0)
    expect(channels(recording)).toEqual([new Int16Array(0), new Int16Array(0)])
    recording.addCallee(80, frame())
    expect(recording.durationMs).toBe(100)
  })
})
