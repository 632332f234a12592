import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { FakeBrain } from '#test/support/fakes/fake-caller.ts'
import type { FakeRealtime } from '#test/support/fakes/fake-openai-realtime.ts'
import { linesOf } from '#test/unit/voice-runtime/session/call-stage.ts'

import { startVendorCall, startVendors } from './vendor-call.ts'
import type { Vendors } from './vendor-call.ts'

const OPENING = 'Hello this is Ava speaking.'
const GOODBYE = { say: 'Goodbye then.', tools: [{ name: 'end_call', arguments: {} }] }

let vendors: Vendors
beforeAll(async () => {
  vendors = await startVendors()
})
afterAll(() => vendors[Symbol.asyncDispose]())
afterEach(() => vendors.gate.open())

/** Answers to what it hears, by a word of it. */
function answering(answers: Readonly<Record<string, ReturnType<FakeBrain>>>): FakeBrain {
  return ({ heard, instructions, toolOutputs }) => {
    if (toolOutputs.length > 0) return { say: `It is ${toolOutputs.join()}.` }
    const key = Object.keys(answers).find((word) => (heard ?? instructions ?? '').includes(word))
    return key === undefined ? { say: 'Pardon?' } : answers[key]!
  }
}

describe.each([
  ['realtime_provider_1', () => vendors.openAi],
  ['realtime_provider_2', () => vendors.gemini],
] as const)('a call with %s', (provider, fakeOf: () => FakeRealtime) => {
  const llmModel = { type: 'realtime', provider, realtimeModelId: 'model-1' } as const

  async function open(changes: Parameters<typeof startVendorCall>[1] = {}) {
    const call = startVendorCall(
      vendors,
      { llmModel, ...changes },
      {
        call: async (name, json) => ({ output: `${name} ${json}`, isError: false }),
      },
    )
    await call.time.pass(400)
    call.say('hello')
    return call
  }

  it('says the first sentence exactly, listens, uses tools and ends the call', async () => {
    vendors.think(
      answering({
        good: { say: 'I will look.', tools: [{ name: 'book', arguments: { day: 2 } }] },
        Tuesday: GOODBYE,
      }),
    )
    const call = await open()
    await call.untilHeard(OPENING)
    await call.time.pass(600)
    call.say('sounds_good')
    await call.untilHeard('It is book {"day":2}.')
    await call.time.pass(600)
    call.say('tuesday_morning')
    const report = await call.end()
    expect(call.heard()).toBe(`${OPENING} I will look. It is book {"day":2}. Goodbye then.`)
    expect(linesOf(report.transcript)).toEqual([
      'user: Hello?',
      `assistant: ${OPENING}`,
      'user: Yes, that sounds good to me.',
      'tool: book',
      'assistant: I will look. It is book {"day":2}.',
      'user: Tuesday morning would be best.',
      'assistant: Goodbye then.',
    ])
    expect(report).toMatchObject({ result: 'human', endedBy: 'agent', endReason: 'tool_end_call' })
    // The model knows what the caller heard from elsewhere.
    expect(fakeOf().remembered().slice(0, 2)).toMatchObject([
      { role: 'user', text: 'Hello?' },
      { role: 'assistant', text: OPENING },
    ])
    const agent = report.speechEvents.filter((one) => one.speaker === 'agent')
    expect(agent.map(({ transcript, wasCut }) => [transcript, wasCut])).toEqual([
      [OPENING, false],
      ['I will look. It is book {"day":2}.', false],
      ['Goodbye then.', false],
    ])
    expect(call.logger.messages).toEqual([])
  })

  it('opens the conversation in its own words', async () => {
    vendors.think(answering({ 'Say who you are': { say: 'This is Ava.' }, good: GOODBYE }))
    const call = await open({ firstSentenceMode: 'generated', firstSentence: 'Say who you are.' })
    await call.untilHeard('This is Ava.')
    await call.time.pass(600)
    call.say('sounds_good')
    const report = await call.end()
    expect(linesOf(report.transcript)).toEqual([
      'user: Hello?',
      'assistant: This is Ava.',
      'user: Yes, that sounds good to me.',
      'assistant: Goodbye then.',
    ])
  })

  it('lets the callee begin', async () => {
    vendors.think(answering({ 'just said': { say: 'Hi!' }, good: GOODBYE }))
    const call = await open({ firstSentenceMode: 'none', firstSentence: null })
    await call.untilHeard('Hi!')
    await call.time.pass(600)
    call.say('sounds_good')
    const report = await call.end()
    expect(linesOf(report.transcript).slice(0, 2)).toEqual(['user: Hello?', 'assistant: Hi!'])
    expect(fakeOf().remembered()[0]).toMatchObject({ role: 'user', text: 'Hello?' })
  })

  it('is interrupted, and remembers only what was heard', async () => {
    const long = 'one two three four five six seven eight nine ten'
    vendors.think(answering({ good: { say: long }, question: GOODBYE }))
    const call = await open()
    await call.untilHeard(OPENING)
    await call.time.pass(600)
    call.say('sounds_good')
    await call.untilHeard('one two three')
    call.say('wait_a_moment')
    const report = await call.end()
    const [heard, ...rest] = linesOf(report.transcript).slice(-3)
    expect(rest).toEqual(['user: Wait, I have a question.', 'assistant: Goodbye then.'])
    expect(heard).toMatch(/^assistant: one/)
    expect(`assistant: ${long}`.startsWith(heard!)).toBe(true)
    expect(call.heard()).not.toContain('ten')
    const cut = report.speechEvents.filter((one) => one.wasCut === true)
    expect(cut.map(({ transcript }) => `assistant: ${transcript}`)).toEqual([heard])
    if (provider !== 'realtime_provider_1') return
    // About three words of 320 to 400 ms were heard, and not all ten.
    const item = fakeOf()
      .remembered()
      .find(({ text }) => text.startsWith('one two'))
    expect(item?.heardMs).toBeGreaterThan(640)
    expect(item?.heardMs).toBeLessThan(2_500)
  })

  it('asks a silent callee, then hangs up', async () => {
    vendors.think(answering({ silent: { say: 'Are you there?' } }))
    const call = await open()
    const report = await call.end()
    expect(call.heard()).toBe(`${OPENING} Are you there? Are you there?`)
    expect(report).toMatchObject({ endedBy: 'agent', endReason: 'user_inactive' })
  })

  it('ends at the longest duration with its message', async () => {
    vendors.think(answering({}))
    const call = await open({ maxCallDurationSecs: 7, maxDurationEndMessage: 'Time is up.' })
    const report = await call.end()
    expect(call.heard()).toBe(`${OPENING} Time is up.`)
    expect(report).toMatchObject({ endedBy: 'system', endReason: 'max_duration' })
  })

  it('goes on when its connection drops in the middle of a word', async () => {
    vendors.think(answering({ good: { say: 'one two three four' }, 'line was lost': GOODBYE }))
    const call = await open()
    await call.untilHeard(OPENING)
    await call.time.pass(600)
    vendors.gate.allow(4)
    call.say('sounds_good')
    await call.untilHeard('one two')
    fakeOf().connections.at(-1)?.drop()
    vendors.gate.open()
    if (provider === 'realtime_provider_2') {
      // It takes the session up again, and waits for the caller.
      await call.time.pass(600)
      vendors.think(answering({ Tuesday: GOODBYE }))
      call.say('tuesday_morning')
    }
    const report = await call.end()
    expect(call.heard()).toMatch(/one two.* Goodbye then\.$/)
    expect(report.endReason).toBe('tool_end_call')
  })

  it('survives garbage', async () => {
    vendors.think(answering({ good: GOODBYE }))
    fakeOf().fail({ kind: 'garbage', afterWords: 1 })
    const call = await open()
    await call.untilHeard(OPENING)
    await call.time.pass(600)
    call.say('sounds_good')
    const report = await call.end()
    expect(call.heard()).toBe(`${OPENING} Goodbye then.`)
    expect(report.endReason).toBe('tool_end_call')
  })

  it('excuses itself when the vendor is lost for good', async () => {
    const call = await open()
    await call.untilHeard(OPENING)
    fakeOf().fail({ kind: 'refuse', status: 401 })
    fakeOf().connections.at(-1)?.drop()
    const report = await call.end()
    expect(call.heard()).toContain("I'm sorry, something went wrong on my side. Goodbye.")
    expect(report).toMatchObject({ endedBy: 'system', endReason: null })
  })

  it('tells of every turn what it was, and notes an opt-out', async () => {
    vendors.think(answering({ never: GOODBYE }))
    const call = await open()
    await call.untilHeard(OPENING)
    await call.time.pass(600)
    call.say('never_call_again')
    const report = await call.end()
    expect(call.optOuts()).toBe(1)
    const [asked, answered] = report.speechEvents.slice(-2)
    expect(asked).toMatchObject({
      speaker: 'user',
      transcript: 'Please never call me again.',
      wasCut: null,
    })
    expect(asked!.sttTranscriptionDelayMs).toBeGreaterThanOrEqual(0)
    expect(answered).toMatchObject({ transcript: 'Goodbye then.', llmWinnerModel: 'model-1' })
    expect(answered!.llmTtftMs).toBeGreaterThanOrEqual(0)
    expect(answered!.llmSystemPrompt).toContain('Please never call me again.')
    expect(answered!.startedSpeakingAtMs).toBeGreaterThan(asked!.stoppedSpeakingAtMs!)
  })

  it('leaves its message when a mailbox answers, unheard by the model', async () => {
    vendors.think(answering({}))
    const call = startVendorCall(vendors, { llmModel, voicemailMessage: 'Please call us back.' })
    await call.time.pass(400)
    call.say('voicemail_greeting')
    const report = await call.end()
    expect(call.heard()).toBe('Please call us back.')
    expect(report).toMatchObject({ result: 'voicemail', endedBy: 'agent', endReason: 'voicemail' })
  })

  it('does not let silence last while a tool is at work', async () => {
    vendors.think(answering({ good: { say: '', tools: [{ name: 'book', arguments: {} }] } }))
    const slow = Promise.withResolvers<{ output: string; isError: boolean }>()
    const call = startVendorCall(vendors, { llmModel }, { call: () => slow.promise })
    await call.time.pass(400)
    call.say('hello')
    await call.untilHeard(OPENING)
    await call.time.pass(600)
    call.say('sounds_good')
    await call.untilHeard('One moment, please.')
    slow.resolve({ output: 'done', isError: false })
    await call.untilHeard('It is done.')
    call.callee.hangUp()
    await call.end()
  })

  it('ends when the callee hangs up', async () => {
    vendors.think(answering({ good: { say: 'one two three four five six' } }))
    const call = await open()
    await call.untilHeard(OPENING)
    await call.time.pass(600)
    call.say('sounds_good')
    await call.untilHeard('one two')
    call.callee.hangUp()
    const report = await call.end()
    expect(linesOf(report.transcript).at(-1)).toMatch(/^assistant: one/)
    expect(report).toMatchObject({ endedBy: 'user', endReason: null })
  })
})
