import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import { configuredLanguageModel } from '#shared/adapters/llm/configured.ts'
import { endpointFor } from '#shared/adapters/llm/llm-endpoint.ts'
import {
  chunk,
  event,
  refusal,
  startFakeChatCompletions,
  streamOf,
  type FakeAnswer,
  type FakeChatCompletions,
} from '#test/support/fake-chat-completions.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

import { collect, textOf } from './language-model-suite.ts'

const FIRST_MS = 2_500
const HEDGE_MS = 800
const HELLO = streamOf(chunk({ content: 'Hello' }), chunk({}, 'stop'))

/** Two dedicated models, each a server of its own. */
let first: FakeChatCompletions
let second: FakeChatCompletions
beforeAll(async () => {
  first = await startFakeChatCompletions()
  second = await startFakeChatCompletions()
})
afterAll(async () => {
  await first[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
})

function open(environment: Readonly<Record<string, string>> = {}) {
  const timers = manualTimers()
  const at = ({ baseUrl }: FakeChatCompletions, modelName: string) => ({
    baseUrl,
    apiKey: 'key',
    modelName,
  })
  const dedicated = {
    dedicated_model_1: at(first, 'first'),
    dedicated_model_2: at(second, 'second'),
  }
  const model = configuredLanguageModel(
    { LLM_FIRST_CHUNK_MS: String(FIRST_MS), ...environment },
    {
      timers,
      logger: collectingLogger(),
      model: chatCompletions({
        resolve: (model) => endpointFor(model, { dedicated, router: null }),
        fetch,
        guardedFetch: fetch,
        timers: manualTimers(),
      }),
    },
  )
  return { model, timers }
}

describe('a model that does not answer as it should', () => {
  const silent: readonly (readonly [string, FakeAnswer])[] = [
    ['takes the request and says nothing', { kind: 'silence' }],
    ['opens a stream and sends nothing', { kind: 'stream', writes: [], end: 'hang' }],
    [
      'sends comments and empty chunks',
      {
        kind: 'stream',
        writes: [': PROCESSING\n\n', event(chunk({ role: 'assistant', content: '' }))],
        end: 'hang',
      },
    ],
    ['only reasons', { kind: 'stream', writes: [event(chunk({ reasoning: 'Hm.' }))], end: 'hang' }],
  ]
  it.each(silent)('and %s: the other one is asked, and the first left', async (_name, answer) => {
    const { model, timers } = open()
    first.script(answer)
    second.script(HELLO)
    const deltas = collect(model, {})
    await first.received(first.requests.length + 1)
    timers.fire(FIRST_MS)
    expect(textOf(await deltas)).toBe('Hello')
    await first.idle()
    expect(timers.waiting()).toEqual([])
  })

  const failing: readonly (readonly [string, FakeAnswer])[] = [
    ['refuses with 503', refusal(503, 'no')],
    ['refuses with 401', refusal(401, 'no')],
    ['sends nonsense', { kind: 'stream', writes: ['data: <html>\n\n'], end: 'clean' }],
    ['drops the connection', { kind: 'stream', writes: [], end: 'drop' }],
  ]
  it.each(failing)('and %s: the other one is asked at once', async (_name, answer) => {
    const { model, timers } = open()
    first.script(answer)
    second.script(HELLO)
    expect(textOf(await collect(model, {}))).toBe('Hello')
    expect(timers.waiting()).toEqual([])
  })

  it('after its first words is not made up for: that would be said twice', async () => {
    const { model } = open()
    const before = second.requests.length
    first.script({ kind: 'stream', writes: [event(chunk({ content: 'Hel' }))], end: 'drop' })
    await expect(collect(model, {})).rejects.toMatchObject({ retryable: false })
    expect(second.requests.length).toBe(before)
  })
})

describe('a hedged request', () => {
  it('goes to the other model as well, and the slower one is cancelled', async () => {
    const { model, timers } = open({ LLM_HEDGE_AFTER_MS: String(HEDGE_MS) })
    first.script({ kind: 'silence' })
    second.script(HELLO)
    const deltas = collect(model, {})
    await first.received(first.requests.length + 1)
    timers.fire(HEDGE_MS)
    const answered = await deltas
    expect(textOf(answered)).toBe('Hello')
    expect(second.requests.at(-1)?.body).toMatchObject({ model: 'second' })
    await first.idle()
    expect(timers.waiting()).toEqual([])
  })
})
