import { describe, expect, test } from 'vitest'

import { DEFAULT_TIMING } from '#voice/engine/settings.ts'

import { END_CALL, inStory, opened, STORY } from './calls.ts'

/** When the callee first hears the agent's next turn, in ms from now. */
function heardAfter(call: ReturnType<typeof opened>): number {
  const from = call.atMs
  const before = call.state.agent?.number ?? call.state.turnCount
  const isHeard = () =>
    (call.state.agent?.number ?? 0) > before && call.state.agent?.startedAtMs !== null
  while (!isHeard() && call.atMs < from + 10_000) call.waits(1)
  return call.atMs - from
}

describe('end of turn', () => {
  const { endpointMinMs, endpointMaxMs } = DEFAULT_TIMING
  /** Model and voice of these calls take so long. */
  const VENDORS_MS = 310

  test('words that sound finished are answered as soon as the VAD is sure of a pause', () => {
    const call = opened().says('Tuesday would be fine, thank you.').waits(199)
    expect(call.all('startLlm')).toEqual([])
    expect(call.waits(1).all('startLlm')).toHaveLength(1)
    expect(call.state.agent?.isHeld).toBe(endpointMinMs > 200)
  })

  test('words that may go on are answered later, with an answer that is ready by then', () => {
    const call = opened().says('I would like the blue one')
    expect(call.waits(200).all('startLlm')).toHaveLength(1)
    expect(call.state.agent?.isHeld).toBe(true)
    expect(call.waits(600).spoken).toHaveLength(2)
    expect(call.state.phase).toBe('thinking')
    // 825 ms after the last word; the voice had been ready since 500.
    expect(call.waits(25).state.phase).toBe('speaking')
    expect(call.all('startLlm')).toHaveLength(1)
  })

  test('a hint of the recogniser ends the turn', () => {
    const call = opened().says('I would like the blue one', { isHinted: true })
    expect(heardAfter(call)).toBe(200 + VENDORS_MS)
  })

  test('words after which more must come are waited for, and nothing is prepared', () => {
    const call = opened()
      .says('I would like to')
      .waits(endpointMaxMs - 1)
    expect(call.all('startLlm')).toEqual([])
    expect(call.waits(1).all('startLlm')).toHaveLength(1)
  })

  test('a caller who goes on before the first audio is answered once, for all of it', () => {
    const call = opened({ answers: ['Too early.', 'Tuesday it is.'] })
    call.says('I would like the blue one').waits(700).says('on Tuesday.').listens()
    expect(call.dialogue.slice(2)).toEqual([
      'user: I would like the blue one on Tuesday.',
      'assistant: Tuesday it is.',
    ])
    expect(call.heard).not.toContain('Too early.')
    expect(call.all('startLlm')).toHaveLength(2)
    expect(call.speechEvents.filter(({ speaker }) => speaker === 'user')).toHaveLength(2)
  })

  test('a caller who pauses is given more time', () => {
    const call = opened()
      .says('I would like the blue')
      .waits(700)
      .says('one and the red')
      .waits(700)
    call.says('one here')
    expect(heardAfter(call)).toBe(980)
  })

  test('no tool is called, and no call ended, before the turn is over', () => {
    const call = opened({ answers: [{ tools: END_CALL }] }).says('I would like the blue one')
    call.waits(800)
    expect(call.all('startLlm')).toHaveLength(1)
    expect([call.state.phase, call.state.llm, call.end]).toEqual(['thinking', null, null])
    expect(call.waits(25).end).toBe('agent/tool_end_call')
  })

  test('a tool of an answer that is dropped is never called', () => {
    const tools = [{ name: 'look_up', arguments: '{}' }]
    const call = opened({ answers: [{ tools }, 'Noted.'] }).says('I would like the blue one')
    call.waits(600).says('on Tuesday, please.').listens()
    expect(call.all('callTool')).toEqual([])
    expect(call.dialogue.at(-1)).toBe('assistant: Noted.')
  })

  test('the voice that failed once stays silent until the turn is over', () => {
    const call = opened({ muteSpeeches: [2] })
      .says('I would like the blue one')
      .waits(820)
    expect(call.spoken).toHaveLength(3)
    expect(call.state.phase).toBe('thinking')
    expect(call.waits(5).state.phase).toBe('speaking')
  })

  test('the same words recognised for good change nothing', () => {
    const call = opened({ answers: ['Right.'] }).says('i would like the blue one')
    call.waits(330).tells({
      type: 'finalTranscript',
      text: 'I would like the blue one.',
      startedAtMs: call.atMs - 1_500,
      endedAtMs: call.atMs - 330,
    })
    expect(call.all('cancelLlm')).toEqual([])
  })

  test('words that were only guessed stand when nothing better comes', () => {
    const call = opened({ answers: ['Right.', 'And now?'] })
    call.tells({ type: 'speechStarted', startedAtMs: call.atMs })
    call.tells({ type: 'interimTranscript', text: 'the blue one please' }).waits(900)
    const endedAtMs = call.atMs - 130
    call.tells({ type: 'speechEnded', endedAtMs }).listens().waits(100)
    // Too late: it is known.
    const late = { startedAtMs: endedAtMs - 800, endedAtMs } as const
    call.tells({ type: 'finalTranscript', text: 'The blue one, please.', ...late }).waits(3_000)
    expect(call.dialogue.slice(2)).toEqual(['user: the blue one please', 'assistant: Right.'])
    expect(call.all('startLlm')).toHaveLength(1)
  })

  test('the recogniser is asked for its last words when the VAD is sure of a pause', () => {
    const call = opened()
    const before = call.all('finalizeTranscript').length
    call.says('I am fine.').waits(199)
    expect(call.all('finalizeTranscript')).toHaveLength(before)
    expect(call.waits(1).all('finalizeTranscript')).toHaveLength(before + 1)
  })

  test('who speaks up after a long silence has made no pause', () => {
    const call = opened({ answers: [{ text: 'Hm.', afterMs: 4_000 }] }).says('I am fine.')
    call.waits(3_000).says('Hello?').waits(600)
    expect(call.all('startLlm')).toHaveLength(2)
  })

  test('words that come late change the question', () => {
    const call = opened({ answers: ['Wrong.', 'Right.'] })
      .says('I want it')
      .waits(450)
    const from = { startedAtMs: call.atMs - 400, endedAtMs: call.atMs - 300 }
    call.tells({ type: 'finalTranscript', text: 'to leave.', ...from }).listens()
    expect(call.dialogue.slice(2)).toEqual(['user: I want it to leave.', 'assistant: Right.'])
  })

  test('noise is recorded and never answered', () => {
    const call = opened().makesNoise(700).waits(4_000)
    expect(call.all('startLlm')).toEqual([])
    expect(call.speechEvents.at(-1)).toMatchObject({
      speaker: 'user',
      isRealTurn: false,
      transcript: '',
    })
  })

  test('words without a VAD are answered', () => {
    const call = opened()
    const from = { startedAtMs: call.atMs, endedAtMs: call.atMs + 500 }
    call
      .waits(800)
      .tells({ type: 'finalTranscript', text: 'Hello you.', ...from })
      .listens()
    expect(call.dialogue.slice(2)).toEqual(['user: Hello you.', 'assistant: Okay.'])
  })

  test('a recogniser that dies in a sentence leaves what it had guessed', () => {
    const call = opened().tells({ type: 'speechStarted', startedAtMs: 3_000 })
    call.tells({ type: 'interimTranscript', text: 'Can you' }).waits(400)
    call.tells({ type: 'speechEnded', endedAtMs: call.atMs - 100 })
    call.tells({ type: 'recogniserFailed' }).listens()
    expect(call.dialogue.slice(2)).toEqual(['user: Can you', 'assistant: Okay.'])
  })
})

describe('interruption', () => {
  test('words stop the agent, and only what was heard is kept', () => {
    const call = inStory({ answers: [STORY, 'Sure.'] })
      .says('Wait, stop please.')
      .listens()
    const [cut] = call.dialogue.slice(3)
    expect(`assistant: ${STORY}`.startsWith(cut ?? 'x')).toBe(true)
    expect(cut?.length).toBeLessThan(60)
    expect(call.dialogue.slice(4)).toEqual(['user: Wait, stop please.', 'assistant: Sure.'])
    const last = call.all('startLlm').at(-1)?.messages
    expect(last?.at(-2)).toEqual({ role: 'assistant', content: cut?.slice('assistant: '.length) })
    expect(call.speechEvents.find(({ wasCut }) => wasCut)).toMatchObject({ speaker: 'agent' })
  })

  test.each(['Mm-hm.', 'Yeah, okay.', 'Ja, genau.', 'Uh-huh'])('%s does not', (text) => {
    const call = inStory().says(text, { forMs: 350 }).listens().waits(2_000)
    expect(call.dialogue.slice(3)).toEqual([`assistant: ${STORY}`])
    expect(call.all('startLlm')).toHaveLength(1)
    expect(call.speechEvents.find(({ transcript }) => transcript === text)).toMatchObject({
      isRealTurn: false,
    })
  })

  test('a listening word said earlier is no part of an interruption', () => {
    const call = inStory({ answers: [STORY, 'Sure.'] }).says('Mm-hm.', { forMs: 280 })
    call.waits(1_400).says('Stop, please.').listens()
    expect(call.dialogue.at(-2)).toBe('user: Stop, please.')
  })

  test('an answer to words that came late waits for what was heard before them', () => {
    const call = inStory({ answers: [STORY, 'Sure.'] })
    const from = { startedAtMs: call.atMs - 900, endedAtMs: call.atMs - 700 }
    call.tells({ type: 'finalTranscript', text: 'Stop.', ...from }).listens()
    expect(call.dialogue.slice(3)).toEqual([
      'assistant: Once upon a time',
      'user: Stop.',
      'assistant: Sure.',
    ])
  })

  test('a listening word at the very end of a question is its answer', () => {
    const call = opened({ answers: ['Shall we meet on Tuesday?', 'Good.'] })
    call.says('I am free.').waitsForVoice().waits(800).says('Yes.', { forMs: 350 }).waits(600)
    call.listens()
    expect(call.dialogue.slice(3)).toEqual([
      'assistant: Shall we meet on Tuesday?',
      'user: Yes.',
      'assistant: Good.',
    ])
  })

  test('a noise does not stop the agent when this callee has been understood before', () => {
    const call = inStory().makesNoise(2_000).listens()
    expect(call.all('flushPlayout')).toEqual([])
    expect(call.dialogue.at(-1)).toBe(`assistant: ${STORY}`)
  })

  test('a noise stops the agent for a while: the unheard rest follows', () => {
    const call = inStory().tells({ type: 'recogniserFailed' }).makesNoise(900).waits(500)
    expect(call.state.phase).toBe('listening')
    call.listens()
    const said = call.dialogue.slice(3).map((line) => line.slice('assistant: '.length))
    expect(said.join(' ')).toBe(STORY)
    expect(call.all('startLlm')).toHaveLength(1)
    const turns = call.speechEvents.filter(({ speaker }) => speaker === 'agent').slice(1)
    expect(turns.map(({ wasCut }) => wasCut)).toEqual([true, false])
  })

  test('a slow "mm-hm" stops the agent no longer than it lasts', () => {
    const call = inStory().tells({ type: 'recogniserFailed' }).makesNoise(900)
    const from = { startedAtMs: call.atMs - 900, endedAtMs: call.atMs }
    call.waits(350).tells({ type: 'finalTranscript', text: 'Mm-hm.', ...from })
    call.waits(0)
    expect(call.state.phase).toBe('thinking')
    expect(call.listens().dialogue.slice(3).join(' ')).not.toContain('Mm-hm')
  })

  test('a model that was stopped by a noise is asked to go on', () => {
    const call = opened({
      answers: [{ text: 'Once there was a fox. It', end: 'hangs' }, 'It slept.'],
    })
    call.says('Tell me a story.').waitsForVoice().waits(300).tells({ type: 'recogniserFailed' })
    call.makesNoise(1_000).listens()
    expect(call.all('startLlm')).toHaveLength(2)
    expect(call.dialogue.at(-1)).toBe('assistant: It slept.')
  })

  test('a noise shorter than the limit does not stop the agent', () => {
    const call = inStory()
      .makesNoise(DEFAULT_TIMING.interruptionMs - 10)
      .listens()
    expect(call.all('flushPlayout')).toEqual([])
  })

  test('noises far apart are recorded one by one', () => {
    const call = inStory({ answers: [`${STORY} ${STORY}`] })
      .makesNoise(200)
      .waits(2_500)
    call.makesNoise(200).listens().waits(3_000)
    const noises = call.speechEvents.filter(({ isRealTurn }) => !isRealTurn)
    const lengths = noises.map((each) => {
      return (each.stoppedSpeakingAtMs ?? 0) - each.startedSpeakingAtMs
    })
    expect(lengths).toEqual([200, 200])
  })

  test('a goodbye that is interrupted is taken back', () => {
    const call = opened({ answers: [{ text: 'Goodbye and thank you!', tools: END_CALL }, 'Yes?'] })
    call.says('That is all.').waitsForVoice().waits(300).says('No, wait a moment.').listens()
    expect(call.end).toBeNull()
    expect(call.dialogue.at(-1)).toBe('assistant: Yes?')
  })
})
