import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chunk, event } from '#test/support/fake-chat-completions.ts'
import type { FakeConnection } from '#test/support/fakes/fake-socket-server.ts'
import { linesOf } from '#test/unit/voice-runtime/session/call-stage.ts'
import { APOLOGY } from '#voice/engine/stock-sentences.ts'

import { leaving, saying, startVendorCall, startVendors } from './vendor-call.ts'
import type { Vendors } from './vendor-call.ts'

const OPENING = 'Hello this is Ava speaking.'

let vendors: Vendors
beforeAll(async () => {
  vendors = await startVendors()
})
afterAll(() => vendors[Symbol.asyncDispose]())

/** The callee greets and hears the opening. */
async function open(
  changes: Parameters<typeof startVendorCall>[1] = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const own = { ...vendors, environment: { ...vendors.environment, ...environment } }
  const call = startVendorCall(own, changes)
  await call.time.pass(400)
  call.say('hello')
  await call.untilHeard(OPENING)
  return call
}

describe('a call on the fakes of its vendors', () => {
  it.each([
    ['vp1-ava', 'voice_provider_1'],
    ['vp2-maya', 'voice_provider_2'],
    ['vp3-grace', 'voice_provider_3'],
  ] as const)('is held with %s of %s', async (id, provider) => {
    vendors.chat.script(saying('Which day suits you? We are free.'), leaving('Goodbye then.'))
    const call = await open({ voice: { id, provider } })
    await call.time.pass(600)
    call.say('sounds_good')
    await call.untilHeard('Which day suits you? We are free.')
    await call.time.pass(600)
    call.say('tuesday_morning')
    const report = await call.end()
    expect(call.heard()).toBe(`${OPENING} Which day suits you? We are free. Goodbye then.`)
    expect(linesOf(report.transcript)).toEqual([
      'user: Hello?',
      `assistant: ${OPENING}`,
      'user: Yes, that sounds good to me.',
      'assistant: Which day suits you? We are free.',
      'user: Tuesday morning would be best.',
      'assistant: Goodbye then.',
    ])
    expect(report).toMatchObject({ result: 'human', endedBy: 'agent', endReason: 'tool_end_call' })
    expect(call.logger.messages).toEqual([])
  })
})

describe('a call whose vendor fails', () => {
  /** The rest of a call that goes on as if nothing had happened. */
  async function goOn(call: Awaited<ReturnType<typeof open>>) {
    await call.time.pass(600)
    call.say('sounds_good')
    return await call.end()
  }

  it.each([
    ['the connection drops', { kind: 'drop', afterWords: 2 }],
    ['the voice reports an error', { kind: 'error', code: 500, afterWords: 2 }],
    ['the voice falls silent', { kind: 'stall', afterWords: 2 }],
  ] as const)(
    'in the middle of a sentence: %s, another voice says the rest',
    async (_name, fault) => {
      vendors.cartesia.fail(fault)
      vendors.chat.script(leaving('Goodbye then.'))
      const call = await open()
      const report = await goOn(call)
      expect(call.heard()).toBe(`${OPENING} Goodbye then.`)
      expect(linesOf(report.transcript)).toEqual([
        'user: Hello?',
        `assistant: ${OPENING}`,
        'user: Yes, that sounds good to me.',
        'assistant: Goodbye then.',
      ])
      expect(report.endReason).toBe('tool_end_call')
    },
  )

  it('by saying nothing in a stream that it opened: another model answers', async () => {
    const before = vendors.chat.requests.length
    vendors.chat.script({
      kind: 'stream',
      writes: [': PROCESSING\n\n', event(chunk({ role: 'assistant', content: '' }))],
      end: 'hang',
    })
    vendors.otherChat.script(leaving('Goodbye then.'))
    const call = await open()
    const report = await goOn(call)
    // Who waits for longer than 2 s is told so.
    expect(call.heard()).toBe(`${OPENING} One moment, please. Goodbye then.`)
    expect(vendors.chat.requests.length - before).toBe(1)
    const spoken = report.speechEvents.filter((one) => one.speaker === 'agent')
    expect(spoken.at(-1)).toMatchObject({
      transcript: 'One moment, please. Goodbye then.',
      wasCut: false,
    })
    await vendors.chat.idle()
  })

  it.each([
    ['drops the connection', (stream: FakeConnection) => stream.drop()],
    [
      'asks for a new request',
      (stream: FakeConnection) => {
        stream.send({ error_code: 503, error_message: 'Cannot continue request (code 7).' })
        stream.close()
      },
    ],
  ])('in the middle of what the callee says, where the recogniser %s', async (_name, fail) => {
    const streams = vendors.soniox.connections.length
    vendors.chat.script(leaving('Goodbye then.'))
    const call = await open()
    await call.time.pass(600)
    call.say('tuesday_morning')
    const from = call.time.now()
    await call.until(() => call.time.now() >= from + 1_000)
    expect(call.callee.isSpeaking).toBe(true)
    fail(vendors.soniox.connections.at(-1)!)
    const report = await call.end()
    // Every word, once.
    expect(linesOf(report.transcript)).toEqual([
      'user: Hello?',
      `assistant: ${OPENING}`,
      'user: Tuesday morning would be best.',
      'assistant: Goodbye then.',
    ])
    expect(vendors.soniox.connections.length - streams).toBe(2)
  })

  it('by thinking for long, where requests are hedged: the quicker model answers', async () => {
    const before = vendors.chat.requests.length
    vendors.chat.script({ kind: 'silence' })
    vendors.otherChat.script(leaving('Goodbye then.'))
    const call = await open({}, { LLM_HEDGE_AFTER_MS: '400' })
    const report = await goOn(call)
    // In time: nobody had to be asked for patience.
    expect(call.heard()).toBe(`${OPENING} Goodbye then.`)
    const [spoken] = report.speechEvents.filter((one) => one.speaker === 'agent').slice(-1)
    expect(spoken?.llmTtftMs).toBeGreaterThanOrEqual(400)
    expect(vendors.chat.requests.length - before).toBe(1)
    await vendors.chat.idle()
  })

  it('one voice after the other: the third says the sentence', async () => {
    vendors.cartesia.fail({ kind: 'drop', afterWords: 1 })
    vendors.elevenLabs.fail({ kind: 'drop', afterWords: 1 })
    vendors.chat.script(leaving('Goodbye then.'))
    const call = await open()
    const report = await goOn(call)
    expect(call.heard()).toBe(`${OPENING} Goodbye then.`)
    expect(report.endReason).toBe('tool_end_call')
  })

  it('every model: the agent excuses itself, and goes on when one is back', async () => {
    // Fakes without a script refuse.
    const call = await open()
    await call.time.pass(600)
    call.say('sounds_good')
    await call.untilHeard(APOLOGY)
    vendors.chat.script(leaving('Goodbye then.'))
    await call.time.pass(600)
    call.say('tuesday_morning')
    const report = await call.end()
    expect(call.heard()).toBe(`${OPENING} ${APOLOGY} Goodbye then.`)
    expect(report).toMatchObject({ endedBy: 'agent', endReason: 'tool_end_call' })
  })

  it('with garbage, all of them: the call goes on', async () => {
    vendors.soniox.fail({ kind: 'garbage', afterMs: 2_000 })
    vendors.cartesia.fail({ kind: 'garbage', afterWords: 1 })
    vendors.chat.script({ kind: 'stream', writes: ['data: <html>\n\n'], end: 'clean' })
    vendors.otherChat.script(leaving('Goodbye then.'))
    const call = await open()
    const report = await goOn(call)
    expect(call.heard()).toBe(`${OPENING} Goodbye then.`)
    expect(report).toMatchObject({ endedBy: 'agent', endReason: 'tool_end_call' })
    expect(call.logger.messages).not.toContain('the conversation failed')
  })
})
