import { describe, expect, test } from 'vitest'

import type { CustomTool } from '#shared/domain/assistant.ts'
import { createAssistant } from '#shared/use-cases/create-assistant.ts'
import { toolsOfCall } from '#shared/use-cases/tools-of-call.ts'
import { updateAssistant } from '#shared/use-cases/update-assistant.ts'
import { anOrder, NOON } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const ORG = 'org_1'
const HOURS = { question: 'When are you open?', answer: 'From eight to six.' }
const LOOK_UP: CustomTool = {
  name: 'look_up_faq',
  description: 'Ours.',
  method: 'GET',
  url: 'https://example.com',
  headers: [],
  queryParams: [],
  bodyTemplate: null,
  inputSchema: [],
}

async function stage(faq: readonly (typeof HOURS)[], customTools: readonly CustomTool[] = []) {
  const { ports } = useCasePorts(NOON)
  const { faqItems: _, ...settings } = assistantSettings({ customTools: [...customTools] })
  const owner = { organizationId: ORG, userId: 'user_1' }
  const assistant = await createAssistant(ports, { ...owner, settings, faqItems: faq })
  const order = anOrder({
    organizationId: ORG,
    assistant: { kind: 'stored', assistantId: assistant.id, version: assistant.version },
  })
  const toolEndpoints = {
    send: async () => ({ statusCode: 200, text: 'from outside', isWhole: true }),
  }
  const tools = toolsOfCall({ ...ports, toolEndpoints }, { assistant, order })
  return {
    ports,
    assistant,
    call: (name: string, args: unknown) =>
      tools.call(name, JSON.stringify(args), new AbortController().signal),
    stored: async () => (await ports.assistants.find(ORG, assistant.id))!,
  }
}

describe('the FAQ in a call', () => {
  test('an answer is found, and nothing is changed', async () => {
    const { call, stored, assistant } = await stage([HOURS])
    const { output, isError } = await call('look_up_faq', { question: 'are you open today' })
    expect(isError).toBe(false)
    expect(output).toContain(`Question: ${HOURS.question}\nAnswer: ${HOURS.answer}`)
    expect(output).toContain('leave_question')
    expect(await stored()).toEqual(assistant)
  })

  test('a question without an answer waits for a human, once', async () => {
    const { call, stored } = await stage([HOURS])
    const { output } = await call('look_up_faq', { question: 'Do you treat cats?' })
    await call('leave_question', { question: 'do you treat cats' })
    expect(output).toContain('a colleague will answer it')
    const { faqItems, pendingFaqCount } = await stored()
    expect(pendingFaqCount).toBe(1)
    expect(faqItems.slice(1)).toMatchObject([
      { question: 'Do you treat cats?', answer: '', needsHumanAnswer: true, source: 'ai' },
    ])
  })

  test('whoever edits the FAQ answers for all of it', async () => {
    const { call, stored, ports, assistant } = await stage([HOURS])
    await call('leave_question', { question: 'Do you treat cats?' })
    const target = { organizationId: ORG, assistantId: assistant.id }
    const patch = { settings: {}, faqItems: [HOURS] }
    await updateAssistant(ports, target, () => ({ kind: 'patch', patch }))
    expect(await stored()).toMatchObject({ pendingFaqCount: 0, faqItems: [HOURS] })
  })

  test.each([[{}], [{ question: '' }], [{ question: 7 }], [null]])(
    'arguments %j are refused',
    async (args) => {
      const { call, stored, assistant } = await stage([HOURS])
      expect(await call('leave_question', args)).toMatchObject({ isError: true })
      expect(await stored()).toEqual(assistant)
    },
  )

  test('without a FAQ there is no such tool; a custom one of that name is the owner’s', async () => {
    const question = { question: 'When?' }
    expect(await (await stage([])).call('look_up_faq', question)).toMatchObject({ isError: true })
    const { call } = await stage([HOURS], [LOOK_UP])
    expect(await call('look_up_faq', question)).toEqual({ output: 'from outside', isError: false })
  })
})
