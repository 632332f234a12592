import { describe, expect, it } from 'vitest'

import { simulatedLanguageModel } from '#shared/adapters/llm/simulated.ts'
import type { ChatMessage, ToolDefinition } from '#shared/domain/chat.ts'
import { DEFAULT_LLM_MODEL } from '#shared/domain/llm-model.ts'

const tool = (name: string, properties: object = {}): ToolDefinition => ({
  name,
  description: name,
  parameters: { type: 'object', properties },
})
const MENU_TOOLS = [tool('press_keys'), tool('skip_turn')]
const NOTE = 'A phone menu has answered.'

/** `name(arguments)` of the call, or the words that are said. */
async function answer(
  prompt: string,
  said: readonly ChatMessage[],
  tools: readonly ToolDefinition[],
): Promise<string> {
  const messages: readonly ChatMessage[] = [{ role: 'system', content: prompt }, ...said]
  const request = { model: DEFAULT_LLM_MODEL, messages, tools }
  const stream = simulatedLanguageModel.stream(request, new AbortController().signal)
  let text = ''
  for await (const delta of stream) {
    if (delta.type === 'toolCall') return `${delta.call.name}(${delta.call.arguments})`
    if (delta.type === 'text') text += delta.text
  }
  return text
}

const user = (content: string): ChatMessage => ({ role: 'user', content })

describe('a phone menu', () => {
  const menu = 'Thank you for calling. For sales, press one. For technical support, press two.'
  const note: ChatMessage = { role: 'system', content: NOTE }

  it.each([
    ['Reach the support team.', 'press_keys({"keys":"2"})'],
    ['Talk to sales about an order.', 'press_keys({"keys":"1"})'],
    ['You are Ava.', 'press_keys({"keys":"1"})'],
  ])('%s', async (prompt, expected) => {
    expect(await answer(prompt, [user(menu), note], MENU_TOOLS)).toBe(expected)
  })

  it('is only listened to while it offers nothing', async () => {
    expect(await answer('Sales.', [user('Please hold.'), note], MENU_TOOLS)).toBe('skip_turn({})')
  })
})

describe('tools that the prompt names', () => {
  const prompt = 'You are Ava. When they say "tuesday", use book_slot. Ask: Which day suits you?'
  const tools = [tool('book_slot', { day: { type: 'string' }, seats: { type: 'number' } })]

  it('are called with what the schema asks for', async () => {
    expect(await answer(prompt, [user('On Tuesday morning, please.')], tools)).toBe(
      'book_slot({"day":"Tuesday morning","seats":1})',
    )
  })

  it('are not called without their words, or when they are not offered', async () => {
    expect(await answer(prompt, [user('Hello?')], tools)).not.toContain('book_slot')
    expect(await answer(prompt, [user('On Tuesday.')], [])).not.toContain('book_slot')
  })

  it('are called once, and what they answered is told', async () => {
    const call = { id: 'c1', name: 'book_slot', arguments: '{}' }
    const said: readonly ChatMessage[] = [
      user('On Tuesday.'),
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'c1', content: '{"booked": true}' },
    ]
    expect(await answer(prompt, said, tools)).toBe('I have an answer: {"booked": true}')
  })
})

it.each([
  ['Can I speak to a human, please?', true],
  ['I want to talk to someone else.', true],
  ['You speak to me too fast.', false],
])('whoever asks for a human is transferred: %s', async (heard, isTransferred) => {
  const choices = { destination: { type: 'string', enum: ['Front desk', 'Manager'] } }
  const said = await answer('You are Ava.', [user(heard)], [tool('transfer_call', choices)])
  expect(said === 'transfer_call({"destination":"Front desk"})').toBe(isTransferred)
})

it('introduces itself to a screening assistant', async () => {
  const note: ChatMessage = { role: 'system', content: 'An assistant that screens calls answered.' }
  const said = await answer('You are Ava from Northwind.', [user('Your name?'), note], [])
  expect(said).toBe('This is Ava from Northwind, with a short call for the person at this number.')
})

it.each([
  ['We are out, say your message.', 'voicemail'],
  ['Tell me your name and the reason for your call.', 'screening'],
  ['Choose an option.', 'menu'],
  ['Garage Novak in Brook Street.', 'human'],
])('says who has answered: %s', async (heard, who) => {
  expect(await answer('A call. Who has answered?', [user(heard)], [])).toBe(who)
})
