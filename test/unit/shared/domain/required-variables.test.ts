import { describe, expect, test } from 'vitest'

import type { CustomTool } from '#shared/domain/assistant.ts'
import { missingVariables, requiredVariables } from '#shared/domain/required-variables.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'

const tool = (changes: Partial<CustomTool>): CustomTool => ({
  name: 'a_tool',
  description: 'd',
  method: 'POST',
  url: 'https://example.com',
  headers: [],
  queryParams: [],
  bodyTemplate: null,
  inputSchema: [],
  ...changes,
})

describe('the variables that settings require', () => {
  test.each([
    ['prompt', { prompt: '{{a}} and {{ a }}' }],
    ['first sentence', { firstSentence: '{{a}}' }],
    ['end-of-call sentence', { endOfCallSentence: '{{a}}' }],
    ['last words', { maxDurationEndMessage: '{{a}}' }],
    ['voicemail message', { voicemailMessage: '{{a}}' }],
    ['voicemail SMS', { voicemailSmsPrompt: '{{a}}' }],
    ['after-call SMS', { afterCallSmsPrompt: '{{a}}' }],
    ['SMS template', { smsTemplate: '{{a}}' }],
    ['URL of a tool', { customTools: [tool({ url: 'https://example.com/{{a}}' })] }],
    ['header of a tool', { customTools: [tool({ headers: [{ key: 'x', value: '{{a}}' }] })] }],
    ['query of a tool', { customTools: [tool({ queryParams: [{ key: 'x', value: '{{a}}' }] })] }],
    ['body of a tool', { customTools: [tool({ bodyTemplate: '{"x":"{{a}}"}' })] }],
  ])('are those of its %s', (_, changes) => {
    expect(requiredVariables(assistantSettings(changes))).toEqual(['a'])
  })

  test('are named once, sorted', () => {
    const settings = assistantSettings({ prompt: '{{b}} {{a}}', smsTemplate: '{{b}}' })
    expect(requiredVariables(settings)).toEqual(['a', 'b'])
  })

  test('are not those that the service or the model fills in', () => {
    const settings = assistantSettings({
      structuredOutputPrompt: '{{transcript}}',
      chat: { channels: [], connectionId: 'c', outcomes: [], template: '{{summary}}' },
      customTools: [
        tool({
          bodyTemplate: '{{day}}',
          inputSchema: [{ name: 'day', required: true, type: 'date' }],
        }),
      ],
    })
    expect(requiredVariables(settings)).toEqual([])
  })
})

describe('what an order lacks', () => {
  test.each<[prompt: string, planned: string, variables: string[], missing: string[]]>([
    ['{{a}} {{b}}', '{{a}}', ['a'], ['b']],
    ['{{a}} {{b}}', '{{a}}', ['a', 'b'], []],
    // The order was accepted without `a`; an edit that keeps `a` changes nothing about that.
    ['{{a}}!', '{{a}}', [], []],
    ['{{a}} {{c}} {{b}}', '', [], ['a', 'b', 'c']],
  ])('%j after %j with %j: %j', (prompt, planned, variables, missing) => {
    const plannedWith = assistantSettings({ prompt: planned })
    const lacking = missingVariables(assistantSettings({ prompt }), { plannedWith, variables })
    expect(lacking).toEqual(missing)
  })
})
