import { afterEach, describe } from 'vitest'

import { geminiLive } from '#shared/adapters/realtime/gemini-live.ts'
import { openAiRealtime } from '#shared/adapters/realtime/openai-realtime.ts'
import { simulatedRealtime } from '#shared/adapters/realtime/simulated.ts'
import { simulatedSpeechToText } from '#shared/adapters/stt/simulated.ts'
import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { FakeBrain } from '#test/support/fakes/fake-caller.ts'
import { GEMINI_KEY, startFakeGeminiLive } from '#test/support/fakes/fake-gemini-live.ts'
import { OPENAI_KEY, startFakeOpenAiRealtime } from '#test/support/fakes/fake-openai-realtime.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

import { realtimeModelSuite } from './realtime-model-suite.ts'

/** A chat model that thinks as a fake speech-to-speech model does. */
function chatModel(brain: FakeBrain): LanguageModel {
  let calls = 0
  return {
    async *stream({ messages }) {
      const last = messages.at(-1)
      const { say, tools = [] } = brain({
        heard: last?.role === 'user' ? last.content : null,
        instructions: last?.role === 'system' ? last.content : null,
        toolOutputs: messages
          .slice(-2)
          .flatMap((one) => (one.role === 'tool' ? [one.content] : [])),
      })
      if (say !== undefined) yield { type: 'text', text: say, model: 'm' }
      for (const tool of tools) {
        const call = { id: `call-${(calls += 1)}`, name: tool.name }
        const json = JSON.stringify(tool.arguments)
        yield { type: 'toolCall', call: { ...call, arguments: json }, model: 'm' }
      }
      yield { type: 'done', finishReason: 'stop' }
    },
  }
}

describe('the simulated speech-to-speech model', () => {
  const speechToText = simulatedSpeechToText()
  realtimeModelSuite('realtime_provider_1', async (brain, gate) =>
    simulatedRealtime({
      speechToText,
      languageModel: chatModel(brain),
      textToSpeech: {
        async *synthesize(request, signal) {
          for await (const chunk of simulatedTones().synthesize(request, signal)) {
            yield chunk
            await new Promise<void>((resolve) => gate.after(0, resolve))
          }
        },
      },
    }),
  )
})

const started: AsyncDisposable[] = []
afterEach(async () => {
  for (const fake of started.splice(0)) await fake[Symbol.asyncDispose]()
})

describe('realtime_provider_1', () => {
  realtimeModelSuite('realtime_provider_1', async (brain, gate) => {
    const fake = await startFakeOpenAiRealtime({ brain, pace: gate.pace, timers: manualTimers() })
    started.push(fake)
    const deps = { timers: manualTimers(), logger: collectingLogger() }
    return openAiRealtime({ apiKey: OPENAI_KEY, url: fake.url, ...deps })
  })
})

describe('realtime_provider_2', () => {
  realtimeModelSuite('realtime_provider_2', async (brain, gate) => {
    const fake = await startFakeGeminiLive({ brain, pace: gate.pace, timers: manualTimers() })
    started.push(fake)
    const deps = { timers: manualTimers(), logger: collectingLogger() }
    return geminiLive({ apiKey: GEMINI_KEY, url: fake.url, ...deps })
  })
})
