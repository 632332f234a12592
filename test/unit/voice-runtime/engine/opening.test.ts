import { describe, expect, test } from 'vitest'

import { DEFAULT_TIMING } from '#voice/engine/settings.ts'

import { opened } from './calls.ts'
import { Scenario } from './scenario.ts'

describe('who answered', () => {
  test('nothing is spoken before a verdict, and the first sentence keeps its delay', () => {
    const call = new Scenario().waits(500).says('Hello?', { forMs: 600 })
    call.waits(DEFAULT_TIMING.personSilenceMs - 1)
    expect([call.results, call.spoken]).toEqual([[], []])
    call.waits(1)
    expect([call.results, call.spoken]).toEqual([['human'], []])
    call.waits(399)
    expect(call.spoken).toEqual([])
    call.waits(1)
    expect(call.spoken).toEqual(['Hi, this is Anna.'])
  })

  test.each([
    ['a machine that says so', 'Hi, you have reached Bob. Please leave a message after the tone.'],
    ['a short machine', 'Leave a message.'],
    ['a full mailbox', 'The mailbox is full and cannot accept messages.'],
  ])('%s is a voicemail', (_name, greeting) => {
    const call = new Scenario().waits(300).says(greeting).waits(3_000)
    expect(call.results).toEqual(['voicemail'])
    expect(call.spoken).toEqual([])
    expect(call.end).toBe('agent/voicemail')
  })

  test('a business greeting is long, has no phrase, and is a person', () => {
    const greeting = 'Dental clinic, this is Anna speaking, how may I help you today?'
    const call = new Scenario()
      .waits(300)
      .says(greeting)
      .waits(DEFAULT_TIMING.personSilenceMs - 1)
    expect(call.results).toEqual([])
    call.waits(1)
    expect(call.results).toEqual(['human'])
  })

  test('a long greeting in doubt is put to the model, which is waited for', () => {
    const greeting = 'Garage Novak in Brook Street, open from eight till six.'
    const call = new Scenario({ answers: [{ text: 'Human', afterMs: 900 }] })
    call.waits(300).says(greeting)
    expect(call.all('startLlm')).toHaveLength(1)
    expect(call.all('startLlm')[0]?.tools).toEqual([])
    expect(call.waits(499).results).toEqual([])
    expect(call.waits(500).results).toEqual(['human'])
    expect(call.listens().dialogue).toEqual([`user: ${greeting}`, 'assistant: Hi, this is Anna.'])
  })

  test('a machine that the model recognises is left its message', () => {
    const settings = { voicemailMessage: 'Please call Anna.' }
    const call = new Scenario({ settings, answers: ['voicemail'] }).waits(300)
    call.says('Bob and Alice are out and about, have a lovely day everyone.').waits(3_000).listens()
    expect(call.results).toEqual(['voicemail'])
    expect(call.spoken).toEqual(['Please call Anna.'])
  })

  test.each(['fails', 'hangs'] as const)('a model that %s does not hold the call up', (end) => {
    const call = new Scenario({ answers: [{ end, afterMs: 100 }] }).waits(300)
    call.says('Garage Novak in Brook Street, open from eight till six.').waits(2_000)
    expect(call.results).toEqual(['human'])
  })

  test('a model that has answered too late is not heard, and costs no turn', () => {
    const call = new Scenario({ answers: [{ text: 'voicemail', afterMs: 4_000 }] }).waits(300)
    call.says('Garage Novak in Brook Street, open from eight till six.').waits(6_000)
    expect(call.results).toEqual(['human'])
    expect(call.all('cancelLlm')).toHaveLength(1)
  })

  test('the carrier is a hint: a machine must say more than a word to be a person', () => {
    const call = new Scenario({ answers: ['unknown'] })
    call.tells({ type: 'carrierVerdict', answeredBy: 'machine' }).waits(300).says('Hi.')
    expect(call.waits(999).results).toEqual([])
    expect(call.waits(1).results).toEqual(['voicemail'])
  })

  test('a long greeting and a tone are a voicemail', () => {
    const call = new Scenario()
      .waits(300)
      .says('Bob and Alice are out at the moment, sorry about it.')
    call.waits(400).beeps()
    expect(call.results).toEqual(['voicemail'])
  })

  test('a tone before any speech decides nothing', () => {
    expect(new Scenario().waits(300).beeps().results).toEqual([])
  })

  test('a silent callee is spoken to, and becomes human by their first words', () => {
    const call = new Scenario().waits(2_000)
    expect(call.results).toEqual(['unknown'])
    call.listens().waits(200).says('Who is there?').waits(500)
    expect(call.results).toEqual(['unknown', 'human'])
  })

  test('a callee who goes on before the first sentence is still greeting', () => {
    const call = new Scenario().waits(300).says('Yes?').waits(700).says('Bob speaking.').listens()
    expect(call.dialogue).toEqual(['user: Yes? Bob speaking.', 'assistant: Hi, this is Anna.'])
    expect(call.results).toEqual(['human'])
  })

  test('a machine that pauses after one word is found out before a word is spoken', () => {
    const call = new Scenario().waits(300).says('Hi.').waits(600)
    call.says('Please leave a message after the beep.').waits(1_000)
    expect(call.results).toEqual(['human', 'voicemail'])
    expect(call.spoken).toEqual([])
  })

  test('a machine may show itself in the first ten seconds: the agent stops', () => {
    const call = new Scenario({ settings: { voicemailMessage: 'Please call Anna.' } })
    call.waits(2_000).waitsForVoice().waits(200).says('Please leave a message after the beep.')
    call.waits(1_500).listens()
    expect(call.results.at(-1)).toBe('voicemail')
    expect(call.spoken.at(-1)).toBe('Please call Anna.')
    expect(call.end).toBe('agent/voicemail')
  })

  test('after ten seconds a tone is only a tone', () => {
    const call = opened().waits(3_000).says('One moment.').listens().waits(6_000).beeps()
    expect(call.results).toEqual(['human'])
  })

  test('a caller is a person, and is greeted after the delay', () => {
    const call = new Scenario({ settings: { direction: 'inbound' } })
    expect([call.results, call.spoken]).toEqual([['human'], []])
    expect(call.waits(400).spoken).toEqual(['Hi, this is Anna.'])
    expect(call.says('Leave a message.').results).toEqual(['human'])
  })

  test('speech without end does not keep the agent silent for ever', () => {
    const call = new Scenario().tells({ type: 'speechStarted', startedAtMs: 0 }).waits(31_000)
    expect(call.results).toEqual(['unknown'])
    expect(call.spoken).toEqual(['Hi, this is Anna.'])
  })

  test('a recogniser without a VAD is enough', () => {
    const call = new Scenario().waits(800)
    call.tells({ type: 'finalTranscript', text: 'Hello?', startedAtMs: 200, endedAtMs: 700 })
    expect(call.waits(400).results).toEqual(['human'])
  })
})

describe('voicemail', () => {
  const settings = { voicemailMessage: 'This is Anna. Please call back.' }
  const greeting = 'You have reached Bob, please leave a message.'

  test('the message follows the tone at once', () => {
    const call = new Scenario({ settings }).waits(300).says(greeting).waits(800).beeps(400)
    expect(call.spoken).toEqual([settings.voicemailMessage])
    call.says('Nobody listens to this.').listens()
    expect(call.end).toBe('agent/voicemail')
    expect(call.dialogue).toEqual([
      `user: ${greeting}`,
      `assistant: ${settings.voicemailMessage}`,
      'user: Nobody listens to this.',
    ])
  })

  test('without a tone it follows a silence', () => {
    const call = new Scenario({ settings }).waits(300).says(greeting).waits(1_499)
    expect(call.spoken).toEqual([])
    expect(call.waits(1).spoken).toEqual([settings.voicemailMessage])
  })

  test('a machine without end is waited for up to the cap', () => {
    const call = new Scenario({ settings }).waits(300)
    call.tells({ type: 'speechStarted', startedAtMs: 300 })
    call.tells({ type: 'interimTranscript', text: 'Leave a message' }).waits(29_999)
    expect(call.spoken).toEqual([])
    expect(call.waits(1).spoken).toEqual([settings.voicemailMessage])
  })

  test('a machine that hangs up during the message does not change how the call ended', () => {
    const call = new Scenario({ settings }).waits(300).says(greeting).waits(800).beeps()
    call.waitsForVoice().waits(600).hangsUp()
    expect(call.end).toBe('agent/voicemail')
    expect(call.speechEvents.at(-1)).toMatchObject({ speaker: 'agent', wasCut: true })
  })
})

describe('opening', () => {
  test('generated: the model follows the instruction', () => {
    const settings = { firstSentenceMode: 'generated', firstSentence: 'Ask for Bob.' } as const
    const call = new Scenario({ settings, answers: ['Is Bob there?'] })
    call.waits(500).says('Hello?').listens()
    const messages = call.all('startLlm')[0]?.messages
    expect(messages?.slice(0, 2)).toEqual([
      { role: 'system', content: 'You are Anna.' },
      { role: 'user', content: 'Hello?' },
    ])
    expect(messages?.at(-1)?.content).toContain('Ask for Bob.')
    expect(call.dialogue).toEqual(['user: Hello?', 'assistant: Is Bob there?'])
  })

  test('generated: a model that fails does not leave the callee in silence', () => {
    const settings = { firstSentenceMode: 'generated' } as const
    const call = new Scenario({ settings, answers: [{ end: 'fails' }, { end: 'fails' }] })
    expect(call.waits(2_000).listens().dialogue).toEqual(['assistant: Hello?'])
  })

  test('none: the callee begins, and a greeting is a beginning', () => {
    const settings = { firstSentenceMode: 'none' } as const
    const call = new Scenario({ settings }).waits(500).says('Hello?').listens()
    expect(call.dialogue).toEqual(['user: Hello?', 'assistant: Okay.'])
    expect(new Scenario({ settings }).waits(9_000).spoken).toEqual([])
  })

  test('a first sentence that is interrupted before its first audio is said afterwards', () => {
    const call = new Scenario().waits(500).says('Yes?', { forMs: 400 }).waits(850).says('Hello?')
    call.listens()
    expect(call.dialogue).toEqual(['user: Yes? Hello?', 'assistant: Hi, this is Anna.'])
  })

  test('a late transcript of the greeting does not interrupt the agent', () => {
    const call = new Scenario().waits(500).makesNoise(500).waitsForVoice().waits(100)
    const final = { type: 'finalTranscript', text: 'Hello?', startedAtMs: 500, endedAtMs: 1_000 }
    call
      .tells(final as never)
      .listens()
      .waits(3_000)
    expect(call.dialogue).toEqual(['user: Hello?', 'assistant: Hi, this is Anna.'])
    expect(call.all('startLlm')).toEqual([])
  })
})
