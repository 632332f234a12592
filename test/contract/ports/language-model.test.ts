import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import { configuredLanguageModel } from '#shared/adapters/llm/configured.ts'
import { endpointFor } from '#shared/adapters/llm/llm-endpoint.ts'
import { simulatedLanguageModel } from '#shared/adapters/llm/simulated.ts'
import { guardedFetch } from '#shared/adapters/notify/guarded-fetch.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import {
  chunk,
  startFakeChatCompletions,
  streamOf,
  type FakeChatCompletions,
} from '#test/support/fake-chat-completions.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

import { collect, languageModelSuite, type Scenario } from './language-model-suite.ts'

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

  const models: readonly LlmModel[] = [
    { type: 'dedicated-instance', name: 'dedicated_model_1' },
    { type: 'router', routerModelId: 'maker/model', routerProvider: 'host' },
    { type: 'custom', apiKey: 'own-key', apiUrl: '', modelName: 'own-model' },
  ]

  /** A model as a live call reaches it: its endpoint, its limits and its fallbacks. */
  function asConfigured(model: LlmModel, scenario: Scenario): LanguageModel {
    const dedicated = { baseUrl: fake.baseUrl, apiKey: 'key', modelName: 'dedicated' }
    const router = { baseUrl: fake.baseUrl.replace('/v1', '/api/v1'), apiKey: 'key' }
    const config = { dedicated: { dedicated_model_1: dedicated }, router }
    const timers = manualTimers()
    const configured = configuredLanguageModel(
      {},
      {
        timers,
        logger: collectingLogger(),
        model: chatCompletions({
          resolve: (model) => endpointFor(model, config),
          fetch,
          guardedFetch: guardedFetch({ allowLoopback: true }),
          timers,
        }),
      },
    )
    return {
      stream(request, signal) {
        if (!signal.aborted) fake.script(answers[scenario])
        const asked = model.type === 'custom' ? { ...model, apiUrl: fake.baseUrl } : model
        return configured.stream({ ...request, model: asked }, signal)
      },
    }
  }

  describe.each(models)('of type $type', (model) => {
    languageModelSuite((scenario) => asConfigured(model, scenario))
  })

  it('ask the router for the provider that the assistant names, and no other', async () => {
    await collect(asConfigured(models[1]!, 'speaks'), {})
    expect(fake.requests.at(-1)?.path).toBe('/api/v1/chat/completions')
    expect(fake.requests.at(-1)?.body).toMatchObject({
      model: 'maker/model',
      provider: { order: ['host'], allow_fallbacks: false },
    })
  })

  it('ask a custom model with its owner’s key', async () => {
    await collect(asConfigured(models[2]!, 'speaks'), {})
    expect(fake.requests.at(-1)?.headers.authorization).toBe('Bearer own-key')
    expect(fake.requests.at(-1)?.body).toMatchObject({ model: 'own-model' })
  })
})
