import { OpenRouter } from '@openrouter/sdk'
import OpenAI, { RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  chunk,
  event,
  refusal,
  startFakeChatCompletions,
  streamOf,
  type FakeChatCompletions,
} from '#test/support/fake-chat-completions.ts'

let fake: FakeChatCompletions
beforeAll(async () => {
  fake = await startFakeChatCompletions()
})
afterAll(() => fake[Symbol.asyncDispose]())

const QUESTION = {
  model: 'fake-model',
  messages: [{ role: 'user' as const, content: 'Hello?' }],
  stream: true as const,
}
const TOOL_PIECES = [
  chunk({ role: 'assistant', content: 'A moment.' }),
  chunk({
    tool_calls: [
      { index: 0, id: 'call_1', type: 'function', function: { name: 'book', arguments: '' } },
    ],
  }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"day":' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"Tuesday"}' } }] }),
  chunk({}, 'tool_calls'),
]

describe('the client of the protocol’s author, with the fake', () => {
  const client = () => new OpenAI({ apiKey: 'key', baseURL: fake.baseUrl, maxRetries: 0 })

  it('reads text, tool calls in pieces, and the end', async () => {
    fake.script(streamOf(...TOOL_PIECES))
    const { choices } = await client().chat.completions.stream(QUESTION).finalChatCompletion()
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'A moment.',
        tool_calls: [{ id: 'call_1', function: { name: 'book', arguments: '{"day":"Tuesday"}' } }],
      },
    })
  })

  it('takes refusals, and errors inside a stream, for what they are', async () => {
    fake.script(refusal(429, 'slow down', { 'retry-after': '1' }))
    await expect(client().chat.completions.create(QUESTION)).rejects.toBeInstanceOf(RateLimitError)
    const failed = event({ error: { code: 502, message: 'provider down' } })
    fake.script({ kind: 'stream', writes: [failed], end: 'clean' })
    const stream = await client().chat.completions.create(QUESTION)
    await expect(Array.fromAsync(stream)).rejects.toThrow('provider down')
  })
})

describe('the router’s own client, with the fake', () => {
  const ask = async () => {
    const serverURL = fake.baseUrl.replace('/v1', '/api/v1')
    const client = new OpenRouter({ apiKey: 'key', serverURL, retryConfig: { strategy: 'none' } })
    const provider = { order: ['host'], allowFallbacks: false }
    const answer = await client.chat.send({ chatRequest: { ...QUESTION, provider } })
    return answer as AsyncIterable<{
      readonly choices: readonly { delta: { content?: string | null } }[]
    }>
  }

  it('finds every chunk valid, and skips comments', async () => {
    const chunks = [chunk({ role: 'assistant', content: 'Hel' }), chunk({ content: 'lo' }, 'stop')]
    const writes = [': OPENROUTER PROCESSING\n\n', ...chunks.map(event), 'data: [DONE]\n\n']
    fake.script({ kind: 'stream', writes, end: 'clean' })
    let text = ''
    for await (const { choices } of await ask()) text += choices[0]?.delta.content ?? ''
    expect(text).toBe('Hello')
    expect(fake.requests.at(-1)?.body).toMatchObject({
      provider: { order: ['host'], allow_fallbacks: false },
    })
  })

  it('takes refusals for what they are', async () => {
    fake.script(refusal(402, 'no credits'))
    await expect(ask()).rejects.toMatchObject({ statusCode: 402 })
  })
})
