import { describe, expect, test } from 'vitest'

import { END_CALL, inStory, opened, STORY } from './calls.ts'
import { Scenario } from './scenario.ts'

/** No word fills a silence. */
const PATIENT = { timing: { deadAirMs: 60_000 } }

describe('tools', () => {
  const tools = [{ name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } }]
  const use = { name: 'lookup', arguments: '{"day":"Tuesday"}' }

  test('an answer is read by the model and recorded in order', () => {
    const call = opened({
      settings: { tools },
      answers: [{ text: 'Let me see.', tools: [use] }, 'Tuesday is free.'],
      toolOutputs: { lookup: 'free' },
    })
    call.says('Is Tuesday free?').listens()
    expect(call.dialogue.slice(2)).toEqual([
      'user: Is Tuesday free?',
      'assistant: Let me see.',
      'tool: lookup({"day":"Tuesday"}) -> free',
      'assistant: Tuesday is free.',
    ])
    const [first, second] = call.all('startLlm')
    expect(first?.tools.map(({ name }) => name)).toEqual(['lookup', 'end_call'])
    const id = `${first?.requestId}-0`
    expect(second?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'Let me see.', toolCalls: [{ id, ...use }] },
      { role: 'tool', toolCallId: id, content: 'free' },
    ])
    expect(call.speechEvents.filter(({ speaker }) => speaker === 'agent')).toHaveLength(2)
  })

  test('arguments that are no JSON are kept as they are, errors are marked', () => {
    const broken = { name: 'lookup', arguments: 'Tuesday' }
    const call = opened({ settings: { tools }, answers: [{ tools: [broken] }, 'Sorry.'] })
    call.says('Is Tuesday free?').listens()
    expect(call.all('appendTranscript')[3]?.entry).toEqual({
      role: 'tool',
      content: '',
      toolName: 'lookup',
      toolArguments: 'Tuesday',
      toolOutput: 'unknown tool',
      toolIsError: true,
    })
  })

  test('eight rounds, then only end_call is left', () => {
    const answers = Array.from({ length: 12 }, () => ({ tools: [use] }))
    const call = opened({ settings: { tools }, answers, toolMs: 10 })
    call.says('Is Tuesday free?').waits(6_000)
    expect(call.all('callTool')).toHaveLength(8)
    expect(
      call
        .all('startLlm')
        .at(-1)
        ?.tools.map(({ name }) => name),
    ).toEqual(['end_call'])
    expect(call.state.phase).toBe('listening')
  })

  test('a tool that is at work when the caller interrupts is waited for and recorded', () => {
    const call = opened({
      settings: { tools, ...PATIENT },
      answers: [{ text: 'Let me look.', tools: [use] }, 'Booked.'],
      toolOutputs: { lookup: 'booked' },
      toolMs: 8_000,
    })
    call.says('Book Tuesday.').waitsForVoice().waits(200).says('And hurry up, please.').listens()
    expect(call.dialogue.slice(4)).toEqual([
      'tool: lookup({"day":"Tuesday"}) -> booked',
      'user: And hurry up, please.',
      'assistant: Booked.',
    ])
  })

  test('one that only reads is cancelled by an interruption, and the model may ask again', () => {
    const call = opened({
      settings: { tools, cancellableTools: ['lookup'] },
      answers: [{ text: 'Let me look.', tools: [use] }, 'Wednesday, then.'],
      toolOutputs: { lookup: 'free' },
      toolMs: 8_000,
    })
    call
      .says('Is Tuesday free?')
      .waitsForVoice()
      .waits(200)
      .says('No, make it Wednesday.')
      .listens()
    expect(call.all('cancelTool')).toHaveLength(1)
    expect(call.dialogue.slice(3)).toEqual([
      'assistant: Let me',
      'tool: lookup({"day":"Tuesday"}) -> Cancelled: the person spoke meanwhile.',
      'user: No, make it Wednesday.',
      'assistant: Wednesday, then.',
    ])
    call.waits(9_000)
    expect(call.dialogue.filter((line) => line.startsWith('tool:'))).toHaveLength(1)
  })

  test('a fast tool, and one after words that are still being said, need no filler', () => {
    const text = 'I am looking into the calendar for you, this takes me a little while.'
    for (const answer of [{ tools: [use] }, { text, tools: [use] }]) {
      const answers = [answer, 'Tuesday is free.']
      const call = opened({ settings: { tools }, answers, toolMs: 1_400 })
      call.says('Is Tuesday free?').waits(9_000)
      expect(call.spoken).not.toContain('One moment, please.')
    }
  })

  test('what a tool was called for is answered: more words are a new turn', () => {
    const call = opened({
      settings: { tools, ...PATIENT },
      answers: [{ tools: [use] }, 'Booked for nine.'],
      toolOutputs: { lookup: 'booked' },
      toolMs: 4_000,
    })
    call.says('Book Tuesday.').waits(1_200).says('At nine, please.').listens()
    expect(call.dialogue.slice(2)).toEqual([
      'user: Book Tuesday.',
      'tool: lookup({"day":"Tuesday"}) -> booked',
      'user: At nine, please.',
      'assistant: Booked for nine.',
    ])
  })

  test('a tool that never answers has failed', () => {
    const answers = [{ tools: [use] }, 'It did not work.']
    const call = opened({ settings: { tools, ...PATIENT }, answers, toolMs: 500_000 })
    call.says('Is Tuesday free?').waits(35_000)
    expect(call.dialogue.at(-1)).toBe('assistant: It did not work.')
  })

  test('end_call without words hangs up', () => {
    const call = opened({ answers: [{ tools: END_CALL }] })
      .says('Bye!')
      .waits(2_000)
    expect(call.end).toBe('agent/tool_end_call')
    expect(call.dialogue.at(-1)).toBe('user: Bye!')
  })
})

describe('failures', () => {
  const APOLOGY = "I'm sorry, I didn't catch that. Could you say that again?"

  test('a failed model is asked once more', () => {
    const call = opened({ answers: [{ end: 'fails' }, 'Here I am.'] }).says('Are you there?')
    expect(call.listens().dialogue.at(-1)).toBe('assistant: Here I am.')
  })

  test('a silent model is given up, asked again, excused', () => {
    const answers = [{ end: 'hangs' }, { end: 'hangs' }] as const
    const call = opened({ settings: PATIENT, answers }).says('Are you there?')
    call.waits(13_000).listens()
    expect(call.all('cancelLlm')).toHaveLength(2)
    expect(call.dialogue.at(-1)).toBe(`assistant: ${APOLOGY}`)
  })

  test('a model that is slow but at work is not given up', () => {
    const answers = [{ text: STORY, afterMs: 5_900 }]
    const call = opened({ settings: PATIENT, answers }).says('A story, please.')
    expect(call.listens().dialogue.at(-1)).toBe(`assistant: ${STORY}`)
    expect(call.all('startLlm')).toHaveLength(1)
  })

  test('a model that stops in the middle of an answer: what it said stands', () => {
    const call = opened({ answers: [{ text: 'I can do that. But fir', end: 'fails' }] })
    expect(call.says('Can you?').listens().dialogue.at(-1)).toBe('assistant: I can do that.')
  })

  test('three failures in a row end the call', () => {
    const answers = Array.from({ length: 6 }, () => ({ end: 'fails' }) as const)
    const call = opened({ answers })
    for (const text of ['One thing.', 'Two things.', 'Three things.']) {
      call.says(text).listens().waits(300)
    }
    expect(call.end).toBe('system/null')
    expect(call.dialogue.filter((line) => line === `assistant: ${APOLOGY}`)).toHaveLength(3)
  })

  test('a success between failures starts the count anew', () => {
    const fails = { end: 'fails' } as const
    const call = opened({ answers: [fails, fails, fails, fails, 'Yes.', fails, fails] })
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) call.says(text).listens().waits(300)
    expect(call.end).toBeNull()
  })

  test('a speech that fails is asked of the voice once more', () => {
    const call = opened({ muteSpeeches: [2], answers: ['Here it is.'] }).says('Where is it?')
    expect(call.listens().dialogue.at(-1)).toBe('assistant: Here it is.')
  })

  test('a voice that is dead leaves no words in the transcript and ends the call', () => {
    const call = new Scenario({ isVoiceDead: true }).waits(60_000)
    expect(call.dialogue).toEqual([])
    expect(call.end).toBe('system/null')
  })

  test('a voice that breaks off goes on where it broke off', () => {
    const call = inStory()
    const speechId = call.all('speak').at(-3)?.speechId ?? ''
    call.tells({ type: 'speechFailed', speechId }).listens()
    const said = call.dialogue.slice(3).map((line) => line.slice('assistant: '.length))
    expect(said.join(' ')).toBe(STORY)
  })
})

describe('silence that the agent did not choose', () => {
  const SLOW = { text: 'It is open until six.', afterMs: 5_000 } as const

  test('is filled before it has lasted 3 s, and the answer follows', () => {
    const call = opened({ answers: [SLOW] })
      .says('When do you close?')
      .waits(2_500)
    expect(call.state.phase).toBe('speaking')
    expect(call.listens().dialogue.slice(3)).toEqual([
      'assistant: One moment, please. It is open until six.',
    ])
    expect(call.all('startLlm')).toHaveLength(1)
    expect(call.speechEvents.at(-1)).toMatchObject({ llmWinnerModel: 'test-model' })
  })

  test('is filled while a tool is at work', () => {
    const call = opened({
      answers: [{ tools: [{ name: 'look_up', arguments: '{}' }] }, 'At six.'],
      toolOutputs: { look_up: '6 pm' },
      toolMs: 6_000,
    })
    call.says('When do you close?').waits(9_000)
    expect(call.spoken.slice(1, 4)).toEqual([
      'One moment, please.',
      'I am still working on it.',
      'At six.',
    ])
  })

  test('is not filled over a callee who speaks, nor when the answer is in time', () => {
    const call = opened({ answers: [{ text: 'At six.', afterMs: 1_700 }] })
    call.says('When do you close?').listens().waits(5_000)
    expect(call.spoken.slice(1)).toEqual(['At six.'])
  })

  test('before the first sentence sounds like somebody who waits to be heard', () => {
    const call = new Scenario({
      settings: { firstSentenceMode: 'generated' },
      answers: [{ text: 'This is Anna.', afterMs: 4_000 }],
    })
    call.waits(500).says('Yes?').waits(7_000)
    expect(call.spoken).toEqual(['Hello?', 'This is Anna.'])
  })
})

describe('thinking that is heard', () => {
  const tools = [{ name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } }]
  const settings = { isThinkingHeard: true, tools, ...PATIENT }
  const turnsOf = (call: Scenario) => call.all('setThinking').map(({ turn }) => turn !== null)

  test('lasts from the end of the turn to the first words of the answer', () => {
    const call = opened({ settings, answers: [{ text: 'At six.', afterMs: 1_500 }] })
    call.says('When do you close?').waits(800)
    expect(turnsOf(call)).toEqual([true])
    call.listens()
    expect(turnsOf(call)).toEqual([true, false])
  })

  test('begins again while a tool is at work after the first words, as the same turn', () => {
    const answers = [
      { text: 'Let me see.', tools: [{ name: 'lookup', arguments: '{}' }] },
      'At six.',
    ]
    const call = opened({ settings, answers, toolMs: 4_000, toolOutputs: { lookup: '6 pm' } })
    call.says('When do you close?').waits(9_000)
    expect(turnsOf(call)).toEqual([true, false, true, false])
    const turns = call.all('setThinking').flatMap(({ turn }) => turn ?? [])
    expect(new Set(turns).size).toBe(1)
  })

  test('ends when the callee speaks again', () => {
    const call = opened({ settings, answers: [{ text: 'At six.', afterMs: 5_000 }, 'Yes.'] })
    call.says('When do you close?').waits(800).says('And on Sundays?')
    expect(turnsOf(call).slice(0, 2)).toEqual([true, false])
  })

  test('is no matter where nobody asked for it', () => {
    const call = opened({ answers: [{ text: 'At six.', afterMs: 1_500 }] })
    expect(call.says('When do you close?').listens().all('setThinking')).toEqual([])
  })
})
