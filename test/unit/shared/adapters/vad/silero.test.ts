import { describe, expect, it } from 'vitest'

import type { SileroRuntime } from '#shared/adapters/vad/silero.ts'
import { sileroVoiceActivity } from '#shared/adapters/vad/silero.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

import { recordingLogger } from './recording-logger.ts'

interface Tensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/**
 * Stands for the model: the probability is the loudest sample of the window, and the state counts the
 * windows of each call in both layers.
 */
function fakeRuntime() {
  const batches: { size: number; context: number[]; counts: number[] }[] = []
  let failing = false
  class FakeTensor implements Tensor {
    readonly data: Float32Array
    readonly dims: readonly number[]
    constructor(_type: string, data: Float32Array, dims: readonly number[]) {
      this.data = data
      this.dims = dims
    }
  }
  const run = async ({ input, state }: { input: Tensor; state: Tensor }) => {
    if (failing) throw new Error('out of memory')
    const [size, width] = input.dims as [number, number]
    const rows = Array.from({ length: size }, (_, i) =>
      input.data.subarray(i * width, (i + 1) * width),
    )
    const counts = rows.map((_, i) => state.data[i * 128]!)
    expect(rows.map((_, i) => state.data[(size + i) * 128 + 127])).toEqual(counts)
    batches.push({ size, context: rows.map((row) => row[0]!), counts })
    const probabilities = Float32Array.from(rows, (row) => Math.max(...row.subarray(32)))
    return {
      output: new FakeTensor('float32', probabilities, [size, 1]),
      stateN: new FakeTensor(
        'float32',
        state.data.map((count) => count + 1),
        state.dims,
      ),
    }
  }
  return {
    runtime: { session: { run }, Tensor: FakeTensor } as unknown as SileroRuntime,
    batches,
    fail: () => {
      failing = true
    },
  }
}

/** 20 ms in which every sample is this part of full scale. */
const frame = (level: number): Uint8Array =>
  encodeMulaw(new Int16Array(160).fill(Math.round(level * 32_768)))

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function detector() {
  const timers = manualTimers()
  const logger = recordingLogger()
  const fake = fakeRuntime()
  const vad = sileroVoiceActivity({ runtime: fake.runtime, timers, logger })
  const open = () => {
    const heard: number[] = []
    const stream = vad.open((probability) => heard.push(Math.round(probability * 10) / 10))
    return {
      heard,
      stream,
      say: (levels: number[]) => levels.forEach((l) => stream.write(frame(l))),
    }
  }
  const tick = async () => {
    timers.fire(10)
    await settled()
  }
  return { ...fake, timers, logger, open, tick }
}

/** 160 ms are five windows. */
const WINDOWS = (level: number): number[] => Array.from({ length: 8 }, () => level)

describe('Silero', () => {
  it('looks at the windows of all calls in one run, and at each call in order', async () => {
    const vad = detector()
    const [a, b] = [vad.open(), vad.open()]
    a.say(WINDOWS(0.2))
    b.say([0.8, 0.8])
    await vad.tick()
    expect(a.heard).toEqual([0.2, 0.2, 0.2, 0.2, 0.2])
    expect(b.heard).toEqual([0.8])
    expect(vad.batches.map(({ size }) => size)).toEqual([2, 1, 1, 1, 1])
  })

  it('keeps state and context of each call apart', async () => {
    const vad = detector()
    const [a, b] = [vad.open(), vad.open()]
    a.say(WINDOWS(0.2))
    await vad.tick()
    a.say(WINDOWS(0.2))
    b.say(WINDOWS(0.8))
    await vad.tick()
    const first = vad.batches[5]!
    expect(first.counts).toEqual([5, 0])
    expect(first.context.map((sample) => Math.round(sample * 10) / 10)).toEqual([0.2, 0])
    const second = vad.batches[6]!
    expect(second.counts).toEqual([6, 1])
    expect(second.context.map((sample) => Math.round(sample * 10) / 10)).toEqual([0.2, 0.8])
  })

  it('waits with one timer at most, and with none when there is nothing to do', async () => {
    const vad = detector()
    const a = vad.open()
    a.say([0.1])
    expect(vad.timers.waiting()).toEqual([])
    a.say([0.1, 0.1, 0.1, 0.1])
    expect(vad.timers.waiting()).toEqual([10])
    await vad.tick()
    expect(vad.timers.waiting()).toEqual([])
  })

  it('says nothing more to a call that was closed', async () => {
    const vad = detector()
    const a = vad.open()
    a.say(WINDOWS(0.5))
    a.stream.close()
    await vad.tick()
    a.say(WINDOWS(0.5))
    expect(a.heard).toEqual([])
    expect(vad.timers.waiting()).toEqual([])
  })

  it('answers without looking when far too much waits', () => {
    const vad = detector()
    const a = vad.open()
    for (let i = 0; i < 70; i++) a.say(WINDOWS(0.5))
    expect(a.heard).toEqual(Array.from({ length: 30 }, () => 0))
  })

  it('keeps the last answer when the model fails, and says so', async () => {
    const vad = detector()
    const a = vad.open()
    a.say([0.4, 0.4])
    await vad.tick()
    vad.fail()
    a.say([0.9, 0.9])
    await vad.tick()
    expect(a.heard).toEqual([0.4, 0.4])
    expect(vad.logger.lines).toMatchObject([{ level: 'error', message: 'The speech model failed' }])
  })
})
