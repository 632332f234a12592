import { describe, expect, it } from 'vitest'

import { FRAME_BYTES } from '#shared/audio/frame.ts'
import { encodeMulaw, MULAW_SILENCE } from '#shared/audio/mulaw.ts'
import { parseWav, wavChannels } from '#shared/audio/wav.ts'
import { bytesOf, MemoryFile } from '#test/support/recorded-sound.ts'
import { wavOf } from '#voice/media-worker/recorded-call.ts'
import { Recorder } from '#voice/media-worker/recorder.ts'

/** A channel in mu-law, as runs of `[code, ms]`. */
function runs(wav: Uint8Array, channel: 0 | 1): [number, number][] {
  const result: [number, number][] = []
  for (const code of encodeMulaw(wavChannels(parseWav(wav))[channel] ?? new Int16Array())) {
    const last = result.at(-1)
    if (last !== undefined && last[0] === code) last[1] += 1 / 8
    else result.push([code, 1 / 8])
  }
  return result
}

const newRecorder = (maxMs = 10_000) => new Recorder({ maxMs, file: new MemoryFile() })
const ended = async (recorder: Recorder, durationMs: number) =>
  bytesOf(wavOf(await recorder.end(durationMs)))

const SILENCE = MULAW_SILENCE

describe('the recording of a session', () => {
  it('has the callee left and the agent right, when they were heard', async () => {
    const recording = newRecorder()
    recording.addCallee(new Uint8Array(FRAME_BYTES).fill(1), 20)
    recording.addAgent(new Uint8Array(800).fill(2), 100)
    const wav = await ended(recording, 300)
    expect(runs(wav, 0)).toEqual([
      [SILENCE, 20],
      [1, 20],
      [SILENCE, 260],
    ])
    expect(runs(wav, 1)).toEqual([
      [SILENCE, 100],
      [2, 100],
      [SILENCE, 100],
    ])
  })

  it('forgets what the agent sent and nobody heard', async () => {
    const recording = newRecorder()
    recording.addAgent(new Uint8Array(800).fill(2), 0)
    recording.addAgent(new Uint8Array(800).fill(3), 100)
    recording.addAgent(new Uint8Array(800).fill(4), 200)
    recording.cutAgent(150)
    recording.addAgent(new Uint8Array(160).fill(5), 160)
    expect(runs(await ended(recording, 250), 1)).toEqual([
      [2, 100],
      [3, 50],
      [SILENCE, 10],
      [5, 20],
      [SILENCE, 70],
    ])
  })

  it('keeps all that was heard, also when the clock says that it cannot have been', async () => {
    const recording = newRecorder()
    recording.addAgent(new Uint8Array(800).fill(2), 250)
    expect(runs(await ended(recording, 300), 1)).toEqual([
      [SILENCE, 250],
      [2, 100],
    ])
  })

  it('has nothing from outside the call', async () => {
    const recording = newRecorder(100)
    for (const atMs of [-1, 81, 1e9]) recording.addCallee(new Uint8Array(FRAME_BYTES).fill(1), atMs)
    expect(runs(await ended(recording, 100), 0)).toEqual([[SILENCE, 100]])
  })

  it('is 16-bit stereo, block by block', async () => {
    const recording = newRecorder()
    for (let atMs = 0; atMs < 5_000; atMs += 20) {
      recording.addCallee(new Uint8Array(FRAME_BYTES).fill(1), atMs)
      recording.addAgent(new Uint8Array(FRAME_BYTES).fill(2), atMs)
    }
    const wav = await ended(recording, 5_000)
    expect(parseWav(wav)).toMatchObject({ encoding: 'pcm16', sampleRateHz: 8_000, channels: 2 })
    expect([runs(wav, 0), runs(wav, 1)]).toEqual([[[1, 5_000]], [[2, 5_000]]])
  })
})
