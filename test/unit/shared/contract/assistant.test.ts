import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { assistantFields } from '#shared/contract/assistant-fields.ts'
import { createAssistantBody } from '#shared/contract/assistant.ts'
import { createCallBody } from '#shared/contract/call.ts'
import { FULL_ASSISTANT } from '#test/support/full-assistant.ts'

describe('assistant fields', () => {
  test('have no defaults of their own, so that a PATCH changes only what it names', () => {
    expect(z.strictObject(assistantFields).partial().parse({})).toEqual({})
    expect(createAssistantBody.parse({ name: 'A', prompt: 'P' })).toEqual({
      name: 'A',
      prompt: 'P',
    })
  })

  test.each(Object.keys(assistantFields))('%s refuses a value of another type', (name) => {
    const wrong = { ...FULL_ASSISTANT, [name]: Symbol('wrong') }
    const { error } = createAssistantBody.safeParse(wrong)
    expect(error?.issues.map(({ path }) => path[0])).toEqual([name])
  })

  test('both bodies can be written as JSON Schema', () => {
    for (const body of [createAssistantBody, createCallBody]) {
      const schema = z.toJSONSchema(body, { io: 'input' })
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    }
  })
})
