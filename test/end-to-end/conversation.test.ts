import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { succeeded } from '#test/support/api-client.ts'
import {
  chunk,
  event,
  startFakeChatCompletions,
  streamOf,
} from '#test/support/fake-chat-completions.ts'
import { CARTESIA_KEY, startFakeCartesia } from '#test/support/fakes/fake-cartesia.ts'
import { SONIOX_KEY, startFakeSoniox } from '#test/support/fakes/fake-soniox.ts'
import type { CallOrder, CreateAssistantBody } from '#test/support/generated/parley-client.ts'
import { alwaysOpen, LocalStackProcess } from '#test/support/local-stack.ts'

const PERSON = '+12025550100'
const INTERRUPTS = '+12025550109'
const PROMPT = 'You are Ava from Northwind Dental. Offer a check-up and ask which day suits best.'
const OPENING = 'Hello, this is Ava from Northwind Dental.'

function linesOf(call: CallOrder): string[] {
  const { transcript = [] } = call.last_call_attempt ?? {}
  return transcript.map(({ role, content }) => `${role}: ${content}`)
}

async function call(
  stack: LocalStackProcess,
  to: string,
  changes: Partial<CreateAssistantBody>,
): Promise<CallOrder> {
  const body = { name: 'Ava', prompt: PROMPT, call_retry_config: alwaysOpen(1, 0), ...changes }
  const { assistant } = await succeeded(stack.api.createAssistant({ body }))
  return stack.placeCall({ phone_number: to, assistant_id: assistant.id, force_now: true })
}

describe('conversations of every kind, at once', () => {
  let stack: LocalStackProcess
  beforeAll(async () => {
    stack = await LocalStackProcess.start()
  })
  afterAll(() => stack.stop())

  const realtime = (number: 1 | 2) =>
    ({
      first_sentence: OPENING,
      first_sentence_mode: 'static',
      llm_model: {
        type: 'realtime',
        provider: `realtime_provider_${number}`,
        realtime_model_id: 'model',
      },
    }) as const

  it.concurrent('the agent opens in words of its own', async ({ expect }) => {
    const { id } = await call(stack, PERSON, { first_sentence_mode: 'generated' })
    const [first, second] = linesOf(await stack.callEnded(id))
    expect(first).toBe('user: Hello?')
    expect(second).toMatch(/^assistant: \S/)
  })

  it.concurrent('the callee opens, and the transcript grows while they talk', async ({
    expect,
  }) => {
    const { id } = await call(stack, PERSON, { first_sentence_mode: 'none' })
    const live = await stack.callOnce(
      id,
      ({ last_call_attempt: attempt }) =>
        attempt?.status === 'ongoing' && (attempt.transcript?.length ?? 0) >= 2,
    )
    const ended = linesOf(await stack.callEnded(id))
    expect(linesOf(live)).toEqual(ended.slice(0, linesOf(live).length))
    expect(ended.length).toBeGreaterThan(linesOf(live).length)
    expect(ended[0]).toBe('user: Hello?')
  })

  it.concurrent('a realtime model holds the conversation to its end', async ({ expect }) => {
    const { id } = await call(stack, PERSON, realtime(1))
    const ended = await stack.callEnded(id)
    expect(ended.last_call_attempt).toMatchObject({ result: 'human', end_reason: 'tool_end_call' })
    expect(linesOf(ended).slice(0, 2)).toEqual(['user: Hello?', `assistant: ${OPENING}`])
    expect(linesOf(ended)).toContain('user: Tuesday morning would be best.')
    const [dial] = await stack.dials(id)
    expect(dial!.heard.join(' ')).toContain(OPENING)
  })

  it.concurrent('a realtime model is interrupted', async ({ expect }) => {
    const { id } = await call(stack, INTERRUPTS, realtime(2))
    const ended = await stack.callEnded(id)
    expect(ended.last_call_attempt).toMatchObject({ result: 'human', end_reason: 'tool_end_call' })
    const cut = ended.last_call_attempt?.speech_events.find(({ was_cut }) => was_cut === true)
    expect(cut?.transcript).not.toBe('')
    expect(linesOf(ended)).toContain('user: Wait, I have a question.')
  })
})

describe('a call whose vendors all fail in the middle of it', () => {
  const setUp = async () => {
    const [soniox, cartesia, chat] = await Promise.all([
      startFakeSoniox(),
      startFakeCartesia(),
      startFakeChatCompletions(),
    ])
    const stack = await LocalStackProcess.start({
      environment: {
        ...process.env,
        STT_API_KEY: SONIOX_KEY,
        STT_URL: soniox.url,
        VOICE_PROVIDER_1_API_KEY: CARTESIA_KEY,
        VOICE_PROVIDER_1_URL: cartesia.url,
        LLM_BASE_URL: chat.baseUrl,
        LLM_MODEL: 'fake',
        LLM_API_KEY: 'key',
      },
    })
    return { soniox, cartesia, chat, stack }
  }
  let parts: Awaited<ReturnType<typeof setUp>>
  beforeAll(async () => {
    parts = await setUp()
  })
  afterAll(async () => {
    await parts.stack.stop()
    for (const fake of [parts.soniox, parts.cartesia, parts.chat]) {
      await fake[Symbol.asyncDispose]()
    }
  })

  it('goes on as if nothing had happened', async () => {
    const { soniox, cartesia, chat, stack } = parts
    // Dropped within the first word, then nonsense; the voice dies within its first sentence.
    soniox.fail({ kind: 'drop', afterMs: 700 }, { kind: 'garbage', afterMs: 2_000 })
    cartesia.fail({ kind: 'drop', afterWords: 2 })
    const tool = { index: 0, id: 'call_1', function: { name: 'end_call', arguments: '{}' } }
    const goodbye = streamOf(
      chunk({ content: 'Goodbye then.' }),
      chunk({ tool_calls: [tool] }),
      chunk({}, 'tool_calls'),
    )
    const opening = event(chunk({ role: 'assistant', content: '' }))
    chat.script({ kind: 'stream', writes: [opening], end: 'hang' }, goodbye, goodbye, goodbye)
    const { id } = await call(stack, PERSON, {
      first_sentence: OPENING,
      first_sentence_mode: 'static',
      voice: { id: 'vp1-ava', provider: 'voice_provider_1' },
    })
    const { last_call_attempt: attempt, ...order } = await stack.callOnce(
      id,
      ({ last_call_attempt: one }) => one?.status === 'completed',
    )
    expect(linesOf({ ...order, last_call_attempt: attempt })).toEqual([
      'user: Hello?',
      `assistant: ${OPENING}`,
      'user: Yes, speaking.',
      'assistant: One moment, please. Goodbye then.',
    ])
    expect(attempt).toMatchObject({ result: 'human', end_reason: 'tool_end_call' })
    const [dial] = await stack.dials(id)
    expect(dial!.heard.join(' ')).toBe(`${OPENING} One moment, please. Goodbye then.`)
    expect(soniox.connections.length).toBe(2)
  })
})
