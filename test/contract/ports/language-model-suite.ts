import { expect, it } from 'vitest'

import type { ChatMessage, ToolDefinition } from '#shared/domain/chat.ts'
import { DEFAULT_LLM_MODEL } from '#shared/domain/llm-model.ts'
import type { LanguageModel, LlmDelta, LlmRequest } from '#shared/ports/language-model.ts'

/** What an implementation must be told before a test, when it cannot think for itself. */
export type Scenario = 'speaks' | 'endsCall' | 'answersJson'

export const END_CALL: ToolDefinition = {
  name: 'end_call',
  description: 'Ends the phone call.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
}

const PROMPT: ChatMessage = { role: 'system', content: 'You are Nora from Acme Dental.' }

const SCHEMA = {
  type: 'object',
  properties: { outcome: { type: 'string', enum: ['interested', 'completed'] } },
  required: ['outcome'],
  additionalProperties: false,
}

export async function collect(
  model: LanguageModel,
  request: Partial<LlmRequest>,
  signal = new AbortController().signal,
): Promise<LlmDelta[]> {
  return Array.fromAsync(
    model.stream({ model: DEFAULT_LLM_MODEL, messages: [PROMPT], tools: [], ...request }, signal),
  )
}

export function textOf(deltas: readonly LlmDelta[]): string {
  return deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
}

/** What every implementation of the port does. `prepare` gives one ready for the scenario. */
export function languageModelSuite(prepare: (scenario: Scenario) => LanguageModel): void {
  it('streams text in pieces, names the model, and ends with one done', async () => {
    const deltas = await collect(prepare('speaks'), { tools: [END_CALL] })
    expect(deltas.filter((delta) => delta.type === 'text').length).toBeGreaterThan(1)
    expect(deltas.every((delta) => delta.type === 'done' || delta.model !== '')).toBe(true)
    expect(textOf(deltas)).toMatch(/^\S(.*\S)?$/)
    expect(deltas.filter((delta) => delta.type === 'done')).toEqual([
      { type: 'done', finishReason: 'stop' },
    ])
    expect(deltas.at(-1)?.type).toBe('done')
  })

  it('calls a tool with an id and JSON arguments before it is done', async () => {
    const deltas = await collect(prepare('endsCall'), {
      messages: [
        PROMPT,
        { role: 'assistant', content: 'Hello, this is Nora.' },
        { role: 'user', content: 'Please never call me again.' },
      ],
      tools: [END_CALL],
    })
    const calls = deltas.flatMap((delta) => (delta.type === 'toolCall' ? [delta.call] : []))
    expect(calls.map((call) => call.name)).toEqual(['end_call'])
    expect(calls[0]?.id).not.toBe('')
    expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual({})
    expect(deltas.at(-1)).toEqual({ type: 'done', finishReason: 'tool_calls' })
  })

  it('takes the answer of a tool and goes on', async () => {
    const call = { id: 'call_1', name: 'end_call', arguments: '{}' }
    const deltas = await collect(prepare('speaks'), {
      messages: [
        PROMPT,
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', toolCallId: 'call_1', content: 'not now' },
      ],
      tools: [END_CALL],
    })
    expect(deltas.at(-1)).toEqual({ type: 'done', finishReason: 'stop' })
  })

  it('answers a schema with JSON alone', async () => {
    const deltas = await collect(prepare('answersJson'), {
      messages: [{ role: 'user', content: 'Agent: Do you want it?\nUser: Yes, please do.' }],
      responseSchema: { name: 'conclusion', schema: SCHEMA },
    })
    expect(JSON.parse(textOf(deltas))).toEqual({ outcome: 'interested' })
    expect(deltas.at(-1)).toEqual({ type: 'done', finishReason: 'stop' })
  })

  it('throws the reason when it is aborted before the start', async () => {
    const reason = new Error('not needed any more')
    await expect(collect(prepare('speaks'), {}, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('throws the reason when it is aborted half-way, and gives nothing more', async () => {
    const reason = new Error('interrupted')
    const controller = new AbortController()
    const request = { model: DEFAULT_LLM_MODEL, messages: [PROMPT], tools: [] }
    const stream = prepare('speaks').stream(request, controller.signal)[Symbol.asyncIterator]()
    expect((await stream.next()).value).toMatchObject({ type: 'text' })
    controller.abort(reason)
    await expect(stream.next()).rejects.toBe(reason)
    expect((await stream.next()).done).toBe(true)
  })

  it('can be left half-way', async () => {
    const request = { model: DEFAULT_LLM_MODEL, messages: [PROMPT], tools: [] }
    const controller = new AbortController()
    let seen = 0
    for await (const delta of prepare('speaks').stream(request, controller.signal)) {
      seen += delta.type === 'text' ? 1 : 0
      break
    }
    expect(seen).toBe(1)
  })
}
