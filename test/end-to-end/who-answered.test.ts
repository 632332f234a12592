import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { CallOrderWire } from '#shared/contract/call-order.ts'
import { alwaysOpen, LocalStackProcess } from '#test/support/local-stack.ts'

/** A voice that is heard as words by the callee says nothing of this before it knows who listens. */
const PROMPT =
  'You are Ava from Northwind Dental. You call about an order, for sales. Ask: Which day suits you?'
const FIRST_SENTENCE = 'Hello, this is Ava about your order of yesterday.'
const VOICEMAIL_MESSAGE = 'Hello Sam, this is Ava from Northwind Dental. Please call us back.'

let stack: LocalStackProcess
const ended = new Map<string, CallOrderWire>()

const CALLS = {
  menu: { to: '+12025550106', assistant: { ivr_navigation_enabled: true } },
  menuNotAllowed: { to: '+12025550106', assistant: {} },
  screened: { to: '+12025550107', assistant: {} },
  refused: { to: '+12025550117', assistant: {} },
  mailbox: { to: '+12025550105', assistant: { voicemail_message: VOICEMAIL_MESSAGE } },
  mailboxWithoutMessage: { to: '+12025550105', assistant: {} },
} as const

beforeAll(async () => {
  stack = await LocalStackProcess.start({ args: ['--speed', '1'] })
  const placed = await Promise.all(
    Object.entries(CALLS).map(async ([name, { to, assistant }]) => {
      const { id } = await stack.placeCall({
        phone_number: to,
        assistant: {
          prompt: PROMPT,
          first_sentence: FIRST_SENTENCE,
          first_sentence_mode: 'static',
          call_retry_config: alwaysOpen(1),
          ...assistant,
        },
      })
      return [name, id] as const
    }),
  )
  for (const [name, id] of placed) ended.set(name, await stack.callEnded(id))
})

afterAll(() => stack?.stop())

function attemptOf(name: keyof typeof CALLS) {
  return ended.get(name)!.last_call_attempt!
}

async function carrierCall(name: keyof typeof CALLS) {
  const [dial] = await stack.dials(ended.get(name)!.id)
  return dial!
}

function linesOf(name: keyof typeof CALLS): readonly string[] {
  return attemptOf(name).transcript.map((entry) =>
    entry.role === 'tool'
      ? `tool ${entry.tool_name} ${JSON.stringify(entry.tool_arguments)} ${entry.tool_output}`
      : `${entry.role}: ${entry.content}`,
  )
}

describe('0106, a phone menu', () => {
  it('is gone through by keys on two levels, until a person speaks', async () => {
    expect(attemptOf('menu')).toMatchObject({ result: 'human' })
    expect(linesOf('menu').slice(0, 7)).toEqual([
      'user: Thank you for calling. For sales, press one. For support, press two.',
      'tool press_keys {"keys":"1"} Pressed 1.',
      'user: For new orders, press one. For existing orders, press two.',
      'tool press_keys {"keys":"1"} Pressed 1.',
      'user: You have reached sales. Please hold while we connect you.',
      'user: Hello, Alex here.',
      `assistant: ${FIRST_SENTENCE}`,
    ])
    expect((await carrierCall('menu')).keys).toBe('11')
  })

  it('is told no word before the person', async () => {
    const { heard, said } = await carrierCall('menu')
    expect(heard.join(' ')).toMatch(new RegExp(`^${FIRST_SENTENCE}`))
    expect(said).toContain('Hello, Alex here.')
  })

  it('marks the tool entries as no errors', () => {
    const tools = attemptOf('menu').transcript.filter(({ role }) => role === 'tool')
    expect(tools.map(({ tool_is_error }) => tool_is_error)).toEqual([false, false])
  })

  it('ends the call of an assistant that may not go through it', async () => {
    expect(attemptOf('menuNotAllowed')).toMatchObject({
      result: 'IVR',
      end_reason: 'ivr_no_navigate',
      ended_by: 'agent',
    })
    expect((await carrierCall('menuNotAllowed')).heard).toEqual([])
  })
})

describe('0107 and 0117, call screening', () => {
  const NAME = 'This is Ava from Northwind Dental, with a short call for the person at this number.'

  it('gives name and purpose, waits, and opens to the person', async () => {
    expect(attemptOf('screened').result).toBe('human')
    expect(linesOf('screened').slice(0, 5)).toEqual([
      "user: Hi, if you record your name and reason for calling, I'll see if this person is available.",
      `assistant: ${NAME}`,
      'user: Thank you. Please stay on the line.',
      'user: Hello?',
      `assistant: ${FIRST_SENTENCE}`,
    ])
    expect((await carrierCall('screened')).heard.join(' ')).toMatch(
      new RegExp(`^${NAME} ${FIRST_SENTENCE}`),
    )
  })

  it('says nothing but that to one who puts nobody through', async () => {
    expect(attemptOf('refused')).toMatchObject({
      result: 'handset-screening-filter',
      ended_by: 'user',
      end_reason: null,
    })
    expect((await carrierCall('refused')).heard.join(' ')).toBe(NAME)
  })
})

describe('0105, a mailbox', () => {
  it('is left the message after its beep, and nothing else', async () => {
    expect(attemptOf('mailbox')).toMatchObject({ result: 'voicemail', end_reason: 'voicemail' })
    expect((await carrierCall('mailbox')).heard.join(' ')).toBe(VOICEMAIL_MESSAGE)
  })

  it('is hung up on at once without a message', async () => {
    expect(attemptOf('mailboxWithoutMessage')).toMatchObject({
      result: 'voicemail',
      end_reason: 'voicemail',
      ended_by: 'agent',
    })
    const { heard, said } = await carrierCall('mailboxWithoutMessage')
    expect([heard, said.length]).toEqual([[], 1])
  })
})
