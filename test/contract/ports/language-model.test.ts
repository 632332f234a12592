import { afterAll, beforeAll, describe } from 'vitest'

import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import { simulatedLanguageModel } from '#shared/adapters/llm/simulated.ts'
import {
  chunk,
  startFakeChatCompletions,
  streamOf,
  type FakeChatCompletions,
} from '#test/support/fake-chat-completions.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

import { languageModelSuite, type Scenario } from './language-model-suite.ts'

describe('the simulated language model', () => {
  languageModelSuite(() => simulatedLanguageModel)
})

describe('chat completions', () => {
  let fake: FakeChatCompletions
  beforeAll(async () => {
    fake = await startFakeChatCompletions()
  })
  afterAll(() => fake[Symbol.asyncDispose]())

  const endCall = { index: 0, id: 'call_9', function: { name: 'end_call', arguments: '' } }
  const answers: Readonly<Record<Scenario, ReturnType<typeof streamOf>>> = {
    speaks: streamOf(
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hello,' }),
      chunk({ content: ' this is Nora.' }),
      chunk({}, 'stop'),
    ),
    endsCall: streamOf(
      chunk({ content: 'Goodbye.' }),
      chunk({ tool_calls: [endCall] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }),
      chunk({}, 'tool_calls'),
    ),
    answersJson: streamOf(
      chunk({ content: '{"outcome":' }),
      chunk({ content: '"interested"}' }),
      chunk({}, 'stop'),
    ),
  }

  languageModelSuite((scenario) => ({
    stream(request, signal) {
      if (!signal.aborted) fake.script(answers[scenario])
      const endpoint = { baseUrl: fake.baseUrl, apiKey: 'key', modelName: 'fake-model' }
      const model = chatCompletions({
        resolve: () => endpoint,
        fetch,
        guardedFetch: () => Promise.reject(new Error('not for this model')),
        timers: manualTimers(),
      })
      return model.stream(request, signal)
    },
  }))
})
