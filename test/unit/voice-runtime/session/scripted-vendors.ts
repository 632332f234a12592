import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { LanguageModel, LlmDelta, LlmRequest } from '#shared/ports/language-model.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { RealtimeModel } from '#shared/ports/realtime-model.ts'
import type { SpeechChunk, SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

import type { ManualTime } from './manual-time.ts'

export const VOICE_BYTE = 0x22
/** The scripted voice speaks each word for so long... */
export const SPOKEN_WORD_MS = 200
/** ...and begins after this. */
export const VOICE_TTFB_MS = 100
export const MODEL_TTFT_MS = 200

/** What the model does with one request: says this, calls a tool, fails, or never answers. */
export type ScriptedAnswer =
  | string
  | { readonly tool: string; readonly arguments: string; readonly text?: string }
  | { readonly problem: 'failure' | 'silence' }

/** For calls whose model only reads and writes. */
export const noRealtimeModel: RealtimeModel = {
  open: () => {
    throw new Error('nobody should ask for a realtime model')
  },
}

export class ScriptedModel implements LanguageModel {
  readonly requests: LlmRequest[] = []
  readonly answers: ScriptedAnswer[]
  open = 0
  readonly #time: ManualTime

  constructor(time: ManualTime, answers: readonly ScriptedAnswer[]) {
    this.#time = time
    this.answers = [...answers]
  }

  async *stream(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmDelta> {
    this.requests.push(request)
    this.open += 1
    try {
      const answer = this.answers.shift() ?? 'I have nothing to add.'
      const problem = typeof answer === 'object' && 'problem' in answer ? answer.problem : null
      if (problem === 'silence') await aborted(signal)
      await Promise.race([this.#time.wait(MODEL_TTFT_MS), aborted(signal)])
      if (problem === 'failure') throw new AdapterError('scripted', { retryable: true })
      const text = typeof answer === 'string' ? answer : 'tool' in answer ? (answer.text ?? '') : ''
      for (const piece of text.match(/\S+\s*/g) ?? []) {
        yield { type: 'text', text: piece, model: 'scripted' }
      }
      if (typeof answer === 'object' && 'tool' in answer) {
        const call = { id: 'tool-1', name: answer.tool, arguments: answer.arguments }
        yield { type: 'toolCall', call, model: 'scripted' }
      }
      yield { type: 'done', finishReason: 'stop' }
    } finally {
      this.open -= 1
    }
  }
}

export class ScriptedVoice implements TextToSpeech {
  readonly texts: string[] = []
  open = 0
  /** So many of the next syntheses fail. */
  failing = 0
  readonly #time: ManualTime

  constructor(time: ManualTime) {
    this.#time = time
  }

  async *synthesize(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    this.texts.push(request.text)
    this.open += 1
    try {
      await Promise.race([this.#time.wait(VOICE_TTFB_MS), aborted(signal)])
      if (this.failing > 0) {
        this.failing -= 1
        throw new AdapterError('scripted', { retryable: true })
      }
      for (const [index, text] of request.text.split(' ').entries()) {
        if (signal.aborted) return
        const audio = new Uint8Array(SPOKEN_WORD_MS * SAMPLES_PER_MS).fill(VOICE_BYTE)
        yield { audio, words: [{ text, endMs: (index + 1) * SPOKEN_WORD_MS }] }
      }
    } finally {
      this.open -= 1
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

/** Keeps the messages, for the assertion that something was, or was not, complained about. */
export function collectingLogger(): Logger & { readonly messages: string[] } {
  const messages: string[] = []
  const collect = (message: string) => void messages.push(message)
  return { messages, info: collect, warn: collect, error: collect }
}
