import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chatCompletions, DEFAULT_CHAT_LIMITS } from '#shared/adapters/llm/chat-completions.ts'
import { guardedFetch } from '#shared/adapters/notify/guarded-fetch.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { LanguageModel, LlmDelta } from '#shared/ports/language-model.ts'
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

import { collect, END_CALL, textOf } from './language-model-suite.ts'

let fake: FakeChatCompletions
beforeAll(async () => {
  fake = await startFakeChatCompletions()
})
afterAll(() => fake[Symbol.asyncDispose]())

const CUSTOM: LlmModel = {
  type: 'custom',
  apiKey: 'secret',
  apiUrl: 'http://stands.for.the/fake',
  modelName: 'own-model',
}

function model(options: { guarded?: typeof fetch; timers?: ReturnType<typeof manualTimers> } = {}) {
  return chatCompletions({
    resolve: () => ({ baseUrl: `${fake.baseUrl}/`, apiKey: 'key', modelName: 'asked-model' }),
    fetch,
    guardedFetch: options.guarded ?? guardedFetch({ allowLoopback: true }),
    timers: options.timers ?? manualTimers(),
  })
}

async function answerOf(answer: FakeAnswer): Promise<LlmDelta[]> {
  fake.script(answer)
  return collect(model(), { tools: [END_CALL] })
}

async function errorOf(deltas: Promise<unknown>): Promise<AdapterError> {
  const error = await deltas.then(
    () => null,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(AdapterError)
  return error as AdapterError
}

describe('errors', () => {
  it.each([
    [400, false],
    [401, false],
    [402, false],
    [403, false],
    [404, false],
    [408, true],
    [409, true],
    [422, false],
    [429, true],
    [500, true],
    [503, true],
  ])('%i: worth repeating %s', async (status, retryable) => {
    const error = await errorOf(answerOf(refusal(status, 'no', { 'retry-after': '7' })))
    expect(error).toMatchObject({ status, retryable, retryAfterSecs: 7 })
  })

  it('is not repeated without a schema that was not there', async () => {
    const before = fake.requests.length
    await errorOf(answerOf(refusal(400, 'no')))
    expect(fake.requests.length - before).toBe(1)
  })

  const text = event(chunk({ content: 'Hel' }))
  const failed = event({ error: { code: 502, message: 'the user said his name is Ann' } })
  it.each([
    ['an error object at once', [failed], 'clean', true],
    ['an error object after text', [text, failed], 'clean', false],
    ['an error that will stay', [event({ error: { code: 403, message: 'no' } })], 'clean', false],
    ['the reason `error`', [event(chunk({}, 'error'))], 'clean', true],
    ['an early end without anything', [': hm\n\n'], 'clean', true],
    ['an early end after text', [text], 'clean', false],
    ['a cut before any text', [': hm\n\n'], 'drop', true],
    ['a cut after text', [text], 'drop', false],
    ['nonsense', ['data: <html>\n\n'], 'clean', true],
  ] as const)('in the stream: %s', async (_name, writes, end, retryable) => {
    const error = await errorOf(answerOf({ kind: 'stream', writes, end }))
    expect(error.retryable).toBe(retryable)
    expect(error.message).not.toContain('Ann')
  })

  it('is not repeatable when an event never ends', async () => {
    const long = 'x'.repeat(DEFAULT_CHAT_LIMITS.maxChunkChars)
    const writes = [`data: ${long}`, 'more']
    const error = await errorOf(answerOf({ kind: 'stream', writes, end: 'hang' }))
    expect(error.retryable).toBe(false)
    await fake.idle()
  })

  it('is repeatable when nobody listens', async () => {
    const nobody = chatCompletions({
      resolve: () => ({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', modelName: 'm' }),
      fetch,
      guardedFetch: fetch,
      timers: manualTimers(),
    })
    expect((await errorOf(collect(nobody, {}))).retryable).toBe(true)
  })

  it('is final when the installation does not offer the model', async () => {
    const none = chatCompletions({
      resolve: () => null,
      fetch,
      guardedFetch: fetch,
      timers: manualTimers(),
    })
    expect((await errorOf(collect(none, {}))).retryable).toBe(false)
  })
})

describe('time limits', () => {
  const { silenceMs, totalMs } = DEFAULT_CHAT_LIMITS

  async function afterRequest(answer: FakeAnswer, limitMs: number): Promise<AdapterError> {
    const timers = manualTimers()
    fake.script(answer)
    const failed = errorOf(collect(model({ timers }), {}))
    await fake.received(fake.requests.length + 1)
    timers.fire(limitMs)
    const error = await failed
    expect(timers.waiting()).toEqual([])
    await fake.idle()
    return error
  }

  it.each([silenceMs, totalMs])('end a request that is never answered (%i ms)', async (limitMs) => {
    expect((await afterRequest({ kind: 'silence' }, limitMs)).retryable).toBe(true)
  })

  it('end an answer that stops half-way', async () => {
    const timers = manualTimers()
    fake.script({ kind: 'stream', writes: [event(chunk({ content: 'Hel' }))], end: 'hang' })
    const messages = [{ role: 'user', content: 'Hello?' }] as const
    const request = { model: CUSTOM, messages, tools: [] }
    const answer = model({ timers }).stream(request, new AbortController().signal)
    const stream = answer[Symbol.asyncIterator]()
    expect((await stream.next()).value).toMatchObject({ text: 'Hel' })
    expect(timers.waiting()).toEqual([totalMs])
    const next = errorOf(stream.next())
    await timers.set(silenceMs)
    timers.fire(silenceMs)
    expect((await next).retryable).toBe(false)
    await fake.idle()
  })

  it('leave no timer behind an answer', async () => {
    const timers = manualTimers()
    fake.script(streamOf(chunk({ content: 'Hi' }, 'stop')))
    await collect(model({ timers }), {})
    expect(timers.waiting()).toEqual([])
  })
})

describe('cancelling', () => {
  it.each([
    ['before the answer', { kind: 'silence' } as const],
    ['during the answer', { kind: 'stream', writes: [': hm\n\n'], end: 'hang' } as const],
  ])('%s ends the request', async (_name, answer) => {
    const controller = new AbortController()
    const reason = new Error('the callee speaks')
    fake.script(answer)
    const result = collect(model(), {}, controller.signal)
    await fake.received(fake.requests.length + 1)
    controller.abort(reason)
    await expect(result).rejects.toBe(reason)
    await fake.idle()
  })
})

describe('models that users brought', () => {
  const request = { model: CUSTOM }

  async function guardedBy(guarded: LanguageModel): Promise<LlmDelta[]> {
    return collect(guarded, request)
  }

  it('are reached through the guard, with the same dialects', async () => {
    fake.script(streamOf(chunk({ content: 'Hel' }), chunk({ content: 'lo' }, 'stop')))
    expect(textOf(await guardedBy(model()))).toBe('Hello')
  })

  it('cannot be on a private address', async () => {
    const before = fake.requests.length
    const guarded = guardedFetch({ allowLoopback: false })
    const error = await errorOf(guardedBy(model({ guarded: guarded as typeof fetch })))
    expect(error.retryable).toBe(false)
    expect(fake.requests.length).toBe(before)
  })

  it.each([
    ['drop', false],
    ['clean', false],
  ] as const)('fail alike when the stream ends early (%s)', async (end, retryable) => {
    fake.script({ kind: 'stream', writes: [event(chunk({ content: 'Hel' }))], end })
    expect((await errorOf(guardedBy(model()))).retryable).toBe(retryable)
  })

  it('are cancelled alike', async () => {
    const controller = new AbortController()
    const reason = new Error('the callee speaks')
    fake.script({ kind: 'stream', writes: [event(chunk({ content: 'Hel' }))], end: 'hang' })
    const result = collect(model(), request, controller.signal)
    await fake.received(fake.requests.length + 1)
    controller.abort(reason)
    await expect(result).rejects.toBe(reason)
    await fake.idle()
  })
})
