import { describe, expect, test } from 'vitest'

import { END_CALL, inStory, opened, STORY } from './calls.ts'
import { Scenario } from './scenario.ts'

test('a person is greeted, answered and said goodbye to', () => {
  const call = opened({
    settings: { endOfCallSentence: 'Have a nice day.' },
    answers: [
      'Nice to hear. Shall we meet on Tuesday at 9 a.m. then?',
      { text: 'Great. Goodbye!', tools: END_CALL },
    ],
  })
  call.says('I am fine.').listens().waits(300).says('Tuesday is good for me.').listens()
  expect(call.dialogue).toEqual([
    'user: Hello?',
    'assistant: Hi, this is Anna.',
    'user: I am fine.',
    'assistant: Nice to hear. Shall we meet on Tuesday at 9 a.m. then?',
    'user: Tuesday is good for me.',
    'assistant: Great. Goodbye!',
    'assistant: Have a nice day.',
  ])
  expect(call.results).toEqual(['human'])
  expect(call.end).toBe('agent/tool_end_call')
  expect(call.all('hangUp')).toHaveLength(1)
})

test.each([
  ['a timer that was replaced', { type: 'timerFired', name: 'inactivity' }],
  ['a timer that never ran', { type: 'timerFired', name: 'hangUp' }],
  ['a request that is over', { type: 'llmText', requestId: 'llm-1', text: 'Hm. ', model: 'm' }],
  ['a speech that is over', { type: 'playoutFlushed', speechId: 'sp-1', heardText: 'Hi' }],
  ['a speech nobody asked for', { type: 'playoutDone', speechId: 'sp-99' }],
  ['a tool nobody called', { type: 'toolAnswered', callId: 'x', output: '', isError: false }],
  ['a key', { type: 'dtmfReceived', digit: '5' }],
  ['a hint without words', { type: 'endOfTurnHint' }],
] as const)('%s changes nothing', (_name, event) => {
  const call = opened().says('I am fine.').listens()
  const { state } = call
  expect(call.tells(event).state).toBe(state)
})

test('speech events carry their times and what stood behind them', () => {
  const call = opened({ answers: ['Good.'] })
    .says('I am fine.')
    .listens()
  const [greeting, opening, user, agent] = call.speechEvents
  expect([greeting?.speaker, opening?.speaker]).toEqual(['user', 'agent'])
  expect(opening).toMatchObject({ llmSystemPrompt: null, llmTtftMs: null, ttsTtfbMs: 100 })
  expect(user).toMatchObject({
    isRealTurn: true,
    transcript: 'I am fine.',
    sttTranscriptionDelayMs: 350,
    wasCut: null,
  })
  expect((user?.stoppedSpeakingAtMs ?? 0) - (user?.startedSpeakingAtMs ?? 0)).toBe(500)
  expect(agent).toMatchObject({
    isRealTurn: true,
    transcript: 'Good.',
    llmTtftMs: 200,
    llmWinnerModel: 'test-model',
    ttsTtfbMs: 100,
    wasCut: false,
  })
  expect(JSON.parse(agent?.llmSystemPrompt ?? '')).toEqual(call.all('startLlm')[0]?.messages)
})

describe('the end', () => {
  test('a callee who stays silent is asked twice, then the agent hangs up', () => {
    const call = opened({ answers: ['Hello?', { end: 'fails' }, { end: 'fails' }] }).waits(60_000)
    expect(call.dialogue.slice(2)).toEqual(['assistant: Hello?', 'assistant: Are you still there?'])
    expect(call.end).toBe('agent/user_inactive')
  })

  test('a callee who answers starts the count anew', () => {
    const call = opened().listens().listens().says('Here.').listens()
    expect(call.waits(10_000).end).toBeNull()
  })

  test('the callee hangs up: the agent was cut there', () => {
    const call = inStory().hangsUp()
    expect(call.end).toBe('user/null')
    expect(call.all('hangUp')).toEqual([])
    expect(call.speechEvents.at(-1)).toMatchObject({ speaker: 'agent', wasCut: true })
    expect(`assistant: ${STORY}`.startsWith(call.dialogue.at(-1) ?? 'x')).toBe(true)
  })

  test('a callee who hangs up while speaking has a segment without end', () => {
    const call = opened().tells({ type: 'speechStarted', startedAtMs: 3_000 })
    call.tells({ type: 'interimTranscript', text: 'No tha' }).hangsUp()
    expect(call.dialogue.at(-1)).toBe('user: No tha')
    expect(call.speechEvents.at(-1)).toMatchObject({ speaker: 'user', stoppedSpeakingAtMs: null })
  })

  test.each([
    ['Our time is up.', ['Our time is up.']],
    [null, []],
  ])('maximum duration with %s', (maxDurationEndMessage, last) => {
    const call = new Scenario({
      settings: { maxCallDurationMs: 6_000, maxDurationEndMessage },
      answers: [STORY],
    })
    call.waits(300).says('Hello?').listens().waits(200).says('A story!').waitsForVoice()
    call
      .waits(6_000 - call.atMs)
      .says('No, wait, please!')
      .waits(3_000)
    expect(call.end).toBe('system/max_duration')
    expect(call.dialogue.filter((line) => line === `assistant: ${last[0]}`)).toHaveLength(
      last.length,
    )
    expect(call.all('hangUp')).toHaveLength(1)
  })

  test.each(['client_initiated', 'participant_removed'] as const)('asked for: %s', (endReason) => {
    const call = inStory().tells({ type: 'endRequested', endReason }).waits(0)
    expect(call.end).toBe(`system/${endReason}`)
    expect(call.all('hangUp')).toHaveLength(1)
    expect(call.commands.at(-1)?.type).toBe('finish')
  })
})

test('what was decided first is how the call ended', () => {
  const settings = { endOfCallSentence: 'Have a very nice day, and see you soon.' }
  const call = opened({ settings, answers: [{ text: 'Bye!', tools: END_CALL }] }).says('Bye.')
  call.waitsForVoice().waits(700).tells({ type: 'endRequested', endReason: 'client_initiated' })
  expect(call.listens().end).toBe('agent/tool_end_call')
  expect(call.dialogue.at(-1)).toBe(`assistant: ${settings.endOfCallSentence}`)
})
