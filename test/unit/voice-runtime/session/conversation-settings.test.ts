import { describe, expect, it } from 'vitest'

import { assistantSettings } from '#test/support/assistant-settings.ts'
import { conversationSettings } from '#voice/session/conversation-settings.ts'

describe('conversationSettings', () => {
  it('fills in variables wherever the assistant speaks, and keeps what has no value', () => {
    const settings = conversationSettings({
      assistant: assistantSettings({
        prompt: 'Call {{name}} of {{company}}.',
        firstSentence: 'Hello {{name}}.',
        endOfCallSentence: 'Bye {{name}}.',
        maxDurationEndMessage: 'Sorry {{name}}.',
        voicemailMessage: 'Call us back, {{name}}.',
        maxCallDurationSecs: 90,
        firstSentenceDelayMs: 700,
      }),
      order: { direction: 'outbound', promptVariables: { name: 'Ada {{company}}' } },
    })
    expect(settings).toMatchObject({
      direction: 'outbound',
      prompt: 'Call Ada {{company}} of {{company}}.',
      firstSentence: 'Hello Ada {{company}}.',
      endOfCallSentence: 'Bye Ada {{company}}.',
      maxDurationEndMessage: 'Sorry Ada {{company}}.',
      voicemailMessage: 'Call us back, Ada {{company}}.',
      maxCallDurationMs: 90_000,
      firstSentenceDelayMs: 700,
      tools: [],
    })
  })

  it('describes the tools to the model', () => {
    const { tools } = conversationSettings({
      assistant: assistantSettings({
        customTools: [
          {
            name: 'find_slot',
            description: 'Finds a free slot.',
            method: 'POST',
            url: 'https://example.com',
            headers: [],
            queryParams: [],
            bodyTemplate: null,
            inputSchema: [{ name: 'day', type: 'date', required: true }],
          },
        ],
      }),
      order: { direction: 'inbound', promptVariables: {} },
    })
    expect(tools).toEqual([
      {
        name: 'find_slot',
        description: 'Finds a free slot.',
        parameters: {
          type: 'object',
          properties: { day: { type: 'string', format: 'date' } },
          required: ['day'],
          additionalProperties: false,
        },
      },
    ])
  })

  it('offers the FAQ where there is one, under names that are still free', () => {
    const faqItems = [
      { id: 'faq_1', question: 'When?', answer: 'Now.', needsHumanAnswer: false, source: 'human' },
    ] as const
    const order = { direction: 'inbound', promptVariables: {} } as const
    const namesOf = (changes: Parameters<typeof assistantSettings>[0]) =>
      conversationSettings({ assistant: assistantSettings(changes), order }).tools.map(
        ({ name }) => name,
      )
    expect(namesOf({})).toEqual([])
    expect(namesOf({ faqItems })).toEqual(['look_up_faq', 'leave_question'])
    const own = {
      name: 'look_up_faq',
      description: '',
      method: 'GET',
      url: 'https://example.com',
      headers: [],
      queryParams: [],
      bodyTemplate: null,
      inputSchema: [],
    } as const
    expect(namesOf({ faqItems, customTools: [own] })).toEqual(['look_up_faq', 'leave_question'])
  })
})
