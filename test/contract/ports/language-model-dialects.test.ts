import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import type { LlmDelta } from '#shared/ports/language-model.ts'
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

function model() {
  return chatCompletions({
    resolve: () => ({ baseUrl: `${fake.baseUrl}/`, apiKey: 'key', modelName: 'asked-model' }),
    fetch,
    guardedFetch: () => Promise.reject(new Error('not for this model')),
    timers: manualTimers(),
  })
}

async function answerOf(answer: FakeAnswer): Promise<LlmDelta[]> {
  fake.script(answer)
  return collect(model(), { tools: [END_CALL] })
}

function piece(fields: object): object {
  return chunk({ tool_calls: [fields] })
}

describe('requests', () => {
  it('are what the protocol asks for', async () => {
    fake.script(streamOf(chunk({ content: 'Hi' }), chunk({}, 'stop')))
    const call = { id: 'call_1', name: 'end_call', arguments: '{}' }
    await collect(model(), {
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', toolCallId: 'call_1', content: 'done' },
      ],
      tools: [END_CALL],
    })
    const { path, headers, body } = fake.requests.at(-1) ?? {}
    expect(path).toBe('/v1/chat/completions')
    expect(headers).toMatchObject({ authorization: 'Bearer key', accept: 'text/event-stream' })
    expect(body).toEqual({
      model: 'asked-model',
      stream: true,
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'end_call', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'done' },
      ],
      tools: [{ type: 'function', function: END_CALL }],
      tool_choice: 'auto',
    })
  })

  it('are repeated without the schema for a server that knows none', async () => {
    fake.script(refusal(400, 'response_format'), streamOf(chunk({ content: '{}' }, 'stop')))
    const responseSchema = { name: 'x', schema: { type: 'object' } }
    const deltas = await collect(model(), { responseSchema })
    expect(textOf(deltas)).toBe('{}')
    const [first, second] = fake.requests.slice(-2)
    expect(first?.body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'x', schema: { type: 'object' }, strict: true },
    })
    expect(second?.body).not.toHaveProperty('response_format')
  })
})

describe('text dialects', () => {
  const hello = (deltas: readonly LlmDelta[]) => {
    expect(textOf(deltas)).toBe('Grüße 👋')
    expect(deltas.at(-1)).toEqual({ type: 'done', finishReason: 'stop' })
  }

  it('survive cuts inside characters, lines and events', async () => {
    const bytes = new TextEncoder().encode(
      event(chunk({ content: 'Grüße ' })) + event(chunk({ content: '👋' }, 'stop')),
    )
    const writes = Array.from(bytes, (byte) => Uint8Array.of(byte))
    hello(await answerOf({ kind: 'stream', writes, end: 'clean' }))
  })

  it.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['comments', (text: string) => `: OPENROUTER PROCESSING\n\n${text.replace('\n', '\n: hm\n')}`],
    ['no space after the colon', (text: string) => text.replaceAll('data: ', 'data:')],
    ['no empty line at the end', (text: string) => text.trimEnd()],
    ['event names', (text: string) => text.replaceAll('data: ', 'event: chunk\ndata: ')],
  ])('with %s', async (_name, change) => {
    const text =
      event(chunk({ content: 'Grüße ' })) +
      event(chunk({ content: '👋' })) +
      event(chunk({}, 'stop'))
    hello(await answerOf({ kind: 'stream', writes: [change(text)], end: 'clean' }))
  })

  it('without an end marker, once the reason was given', async () => {
    const writes = [event(chunk({ content: 'Grüße 👋' })), event(chunk({}, 'stop'))]
    hello(await answerOf({ kind: 'stream', writes, end: 'clean' }))
  })

  it('without a reason, once the end marker was given', async () => {
    hello(await answerOf(streamOf(chunk({ content: 'Grüße 👋' }))))
  })

  it('never speak what the model reasons', async () => {
    const reasoning = { reasoning: 'Hm.', reasoning_content: 'Let me think.' }
    hello(
      await answerOf(
        streamOf(
          chunk({ ...reasoning, content: null }),
          chunk({ ...reasoning, content: 'Grüße 👋' }),
          chunk({}, 'stop'),
          { choices: [], usage: { total_tokens: 7 } },
        ),
      ),
    )
  })

  it('of servers that do not stream', async () => {
    const choices = [{ message: { role: 'assistant', content: 'Grüße 👋' }, finish_reason: 'stop' }]
    const writes = [JSON.stringify({ choices }, null, 2)]
    const contentType = 'application/json'
    hello(await answerOf({ kind: 'stream', writes, end: 'clean', contentType }))
  })

  it('name the model that answered, or else the one that was asked', async () => {
    const named = await answerOf(streamOf(chunk({ content: 'a' }, 'stop')))
    expect(named[0]).toMatchObject({ model: 'fake-model-2026' })
    const silent = await answerOf(streamOf(chunk({ content: 'a' }, 'stop', { model: undefined })))
    expect(silent[0]).toMatchObject({ model: 'asked-model' })
  })

  it.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['eos', 'stop'],
  ])('end with %s as %s', async (given, expected) => {
    const deltas = await answerOf(streamOf(chunk({ content: 'a' }, given)))
    expect(deltas.at(-1)).toEqual({ type: 'done', finishReason: expected })
  })
})

describe('tool call dialects', () => {
  const two = [
    { name: 'end_call', arguments: '{"a":1}' },
    { name: 'note', arguments: '{"b":2}' },
  ]
  const whole = two.map((call) => ({ function: call }))

  it.each([
    [
      'pieces by index, interleaved',
      [
        piece({ index: 0, id: 'x', type: 'function', function: { name: 'end_call' } }),
        piece({ index: 1, id: 'y', type: 'function', function: { name: 'note', arguments: '{' } }),
        piece({ index: 0, function: { arguments: '{"a":' } }),
        piece({ index: 1, function: { arguments: '"b":2}' } }),
        piece({ index: 0, function: { arguments: '1}' } }),
      ],
    ],
    ['whole calls without index', whole.map((call, at) => piece({ ...call, id: `id${at}` }))],
    ['whole calls without index and id', whole.map(piece)],
    [
      'every call with index 0',
      whole.map((call, at) => piece({ ...call, index: 0, id: `i${at}` })),
    ],
    ['both calls in one chunk', [chunk({ tool_calls: whole })]],
    [
      'arguments as an object',
      two.map((call, index) =>
        piece({ index, function: { ...call, arguments: JSON.parse(call.arguments) as object } }),
      ),
    ],
    [
      'an id repeated on every piece',
      two.flatMap((call, index) => [
        piece({ index, id: `i${index}`, function: { name: call.name, arguments: '' } }),
        piece({ index, id: `i${index}`, function: { name: null, arguments: call.arguments } }),
      ]),
    ],
  ])('%s', async (_name, chunks) => {
    const deltas = await answerOf(streamOf(...chunks, chunk({}, 'stop')))
    const calls = deltas.flatMap((delta) => (delta.type === 'toolCall' ? [delta.call] : []))
    expect(calls.map(({ id: _id, ...call }) => call)).toEqual(two)
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
    expect(deltas.at(-1)).toEqual({ type: 'done', finishReason: 'tool_calls' })
  })

  it('are not made from an answer that was cut off', async () => {
    const half = piece({ index: 0, id: 'x', function: { name: 'end_call', arguments: '{"a' } })
    const deltas = await answerOf(streamOf(half, chunk({}, 'length')))
    expect(deltas).toEqual([{ type: 'done', finishReason: 'length' }])
  })
})
