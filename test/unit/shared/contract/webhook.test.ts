import { expect, test } from 'vitest'

import { callOrderSchema } from '#shared/contract/call-order.ts'
import { webhookBody } from '#shared/contract/webhook.ts'
import { anOrder, NOON } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'

test('a webhook carries the call as it is answered, without secrets', () => {
  const assistant = assistantSettings({
    llmModel: {
      type: 'custom',
      apiKey: 'sk-abcdefgh1234',
      apiUrl: 'https://llm.example',
      modelName: 'm',
    },
  })
  const text = webhookBody({
    id: 'evt_1',
    type: 'call.completed',
    timestamp: NOON,
    call: {
      order: anOrder(),
      attempts: [],
      assistant,
      campaignName: null,
      recordingUrls: new Map(),
    },
  })
  const body = JSON.parse(text)
  expect(body).toMatchObject({
    id: 'evt_1',
    type: 'call.completed',
    timestamp: '2026-01-14T12:00:00.000Z',
    data: { call: { id: 'call_1', assistant: { id: 'asst_1' } } },
  })
  expect(callOrderSchema.parse(body.data.call)).toEqual(body.data.call)
  expect(text).not.toContain('sk-abcdefgh')
})
