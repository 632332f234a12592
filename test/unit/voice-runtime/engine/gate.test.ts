import { describe, expect, test } from 'vitest'

import { DEFAULT_TIMING } from '#voice/engine/settings.ts'

import { Scenario } from './scenario.ts'
import type { Answer, ScenarioOptions } from './scenario.ts'

const SCREENING =
  "Hi, if you record your name and reason for calling, I'll see if this person is available."
const MENU = 'Thank you for calling. For sales, press one. For support, press two.'
const NAME = 'This is Anna from Northwind about an appointment.'

const keys = (keys: string): Answer => ({
  tools: [{ name: 'press_keys', arguments: JSON.stringify({ keys }) }],
})
const SKIP: Answer = { tools: [{ name: 'skip_turn', arguments: '{}' }] }

function screened(answers: ScenarioOptions['answers'] = [NAME]): Scenario {
  return new Scenario({ answers }).waits(300).says(SCREENING)
}

function inMenu(answers: ScenarioOptions['answers'], isEnabled = true): Scenario {
  const settings = { ivrNavigationEnabled: isEnabled }
  return new Scenario({ settings, answers }).waits(300).says(MENU)
}

describe('call screening', () => {
  test('name and purpose in one sentence, when the assistant has finished', () => {
    const call = screened([`${NAME} It is about your blood test.`])
    expect([call.results, call.spoken]).toEqual([['handset-screening-filter'], []])
    call.listens()
    expect(call.spoken).toEqual([NAME])
    expect(call.all('startLlm')[0]?.tools).toEqual([])
    expect(call.waits(20_000).spoken).toEqual([NAME])
  })

  test('a tone is the sign to speak', () => {
    const call = screened().waits(400).beeps(300)
    expect(call.all('startLlm')).toHaveLength(1)
  })

  test('the person who comes is classified anew, and greeted', () => {
    const call = screened().listens().waits(4_000).says('Hello?').listens()
    expect(call.results).toEqual(['handset-screening-filter', 'human'])
    expect(call.dialogue).toEqual([
      `user: ${SCREENING}`,
      `assistant: ${NAME}`,
      'user: Hello?',
      'assistant: Hi, this is Anna.',
    ])
  })

  test('whoever says to hold the line is no person yet', () => {
    const call = screened().listens().waits(1_000).says('Thanks. Please stay on the line.')
    call.waits(8_000)
    expect(call.results).toEqual(['handset-screening-filter'])
    call.says('Yes, hello?').listens()
    expect(call.results).toEqual(['handset-screening-filter', 'human'])
  })

  test('a mailbox behind it gets the message', () => {
    const settings = { voicemailMessage: 'Please call Anna.' }
    const call = new Scenario({ settings, answers: [NAME] }).waits(300).says(SCREENING).listens()
    call.waits(2_000).says('Please leave a message after the tone.').waits(500).beeps().listens()
    expect(call.results).toEqual(['handset-screening-filter', 'voicemail'])
    expect(call.spoken.at(-1)).toBe('Please call Anna.')
    expect(call.end).toBe('agent/voicemail')
  })

  test('it may ask again, but not for ever', () => {
    const call = screened([NAME, NAME, NAME, NAME]).listens()
    for (let times = 0; times < 4; times += 1) call.waits(500).says(SCREENING).waits(6_000)
    expect(call.spoken).toEqual([NAME, NAME, NAME])
  })

  test('nobody comes', () => {
    const call = screened()
      .listens()
      .waits(DEFAULT_TIMING.screeningWaitMs - 200)
    expect(call.end).toBeNull()
    expect(call.waits(200).end).toBe('agent/user_unavailable')
  })

  test('it hangs up', () => {
    const call = screened().listens().waits(1_000).hangsUp()
    expect(call.end).toBe('user/null')
    expect(call.results).toEqual(['handset-screening-filter'])
  })

  test('it goes on while the answer is prepared: the answer waits for the end', () => {
    const call = screened([{ text: NAME, afterMs: 800 }, NAME]).waits(1_200)
    call.says('Go ahead and say your name and why you are calling.').listens()
    expect(call.heard).toEqual([NAME])
  })

  test('a model that fails leaves no silence', () => {
    const call = screened([{ end: 'fails' }, { end: 'fails' }]).listens()
    expect(call.spoken).toEqual(['This is a call for the person at this number.'])
  })

  test('one that shows itself late is answered, not talked to', () => {
    const call = new Scenario({ answers: [NAME] }).waits(2_000).waitsForVoice().waits(300)
    call.says(SCREENING).waits(1_000).listens()
    expect(call.results).toEqual(['unknown', 'handset-screening-filter'])
    expect(call.spoken.at(-1)).toBe(NAME)
  })
})

describe('phone menus', () => {
  test('without navigation the call ends, and says why', () => {
    const call = inMenu([], false).waits(2_000)
    expect([call.results, call.end]).toEqual([['IVR'], 'agent/ivr_no_navigate'])
    expect(call.spoken).toEqual([])
  })

  test('keys are pressed, recorded, and the next level is listened to', () => {
    const call = inMenu([keys('2'), keys('1 #')]).waits(2_000)
    expect(call.all('sendDtmf')).toEqual([{ type: 'sendDtmf', digits: '2' }])
    call.says('For billing, press one. For anything else, press two.').waits(2_000)
    expect(call.all('sendDtmf').map(({ digits }) => digits)).toEqual(['2', '1#'])
    expect(call.dialogue).toEqual([
      `user: ${MENU}`,
      'tool: press_keys({"keys":"2"}) -> Pressed 2.',
      'user: For billing, press one. For anything else, press two.',
      'tool: press_keys({"keys":"1 #"}) -> Pressed 1#.',
    ])
    expect(call.spoken).toEqual([])
  })

  test('the person behind the menu is greeted like any other', () => {
    const call = inMenu([keys('1')])
      .waits(2_000)
      .says('Please hold while we connect you.')
    call.waits(9_000).says('Sales, Tom speaking, how can I help?').listens()
    expect(call.results).toEqual(['IVR', 'human'])
    expect(call.dialogue.at(-1)).toBe('assistant: Hi, this is Anna.')
  })

  test('a menu that only talks is listened to', () => {
    const call = inMenu([SKIP, keys('1')]).waits(3_000)
    expect(call.dialogue).toEqual([`user: ${MENU}`])
    call.says(MENU).waits(2_000)
    expect(call.all('sendDtmf')).toHaveLength(1)
  })

  test('a menu that asks for words is told one sentence', () => {
    const call = inMenu(['Sales. I would like to talk to sales.']).listens()
    expect(call.spoken).toEqual(['Sales.'])
  })

  test('keys that no telephone has are not pressed, and the model is told', () => {
    const call = inMenu([keys('one'), keys('1')]).waits(3_000)
    expect(call.dialogue[1]).toContain('Nothing was pressed')
    expect(call.all('sendDtmf').map(({ digits }) => digits)).toEqual(['1'])
  })

  test('a loop is left: the same words for the third time', () => {
    const call = inMenu([keys('1'), keys('1'), keys('1')]).waits(3_000)
    call.says(MENU).waits(3_000)
    expect(call.end).toBeNull()
    call.says(MENU).waits(3_000)
    expect(call.end).toBe('agent/ivr_no_navigate')
  })

  test('a menu without end is left', () => {
    const call = inMenu(Array.from({ length: 20 }, () => keys('1'))).waits(3_000)
    for (let level = 1; level <= 10; level += 1) {
      call.says(`You are on level ${level}. Press one.`).waits(3_000)
    }
    expect(call.end).toBe('agent/ivr_no_navigate')
    expect(call.all('sendDtmf')).toHaveLength(10)
  })

  test('a menu that says nothing more is left', () => {
    const call = inMenu([keys('1')]).waits(DEFAULT_TIMING.menuWaitMs + 3_000)
    expect(call.end).toBe('agent/ivr_no_navigate')
  })

  test('what it says at length without a telling word is for the model, which may wait', () => {
    const call = inMenu([keys('1'), 'unknown', SKIP]).waits(2_000)
    call.says('Our house was built in nineteen hundred and four by two brothers from Trieste.')
    call.waits(4_000)
    expect(call.results).toEqual(['IVR'])
    expect(
      call
        .all('startLlm')
        .at(-1)
        ?.tools.map(({ name }) => name),
    ).toContain('skip_turn')
  })

  test('a mailbox that sounded like a menu at first gets its message', () => {
    const settings = { voicemailMessage: 'Please call Anna.', ivrNavigationEnabled: true }
    const call = new Scenario({ settings }).waits(300).says('Thank you for calling. Press one.')
    call.says('Or leave a message after the tone.').waits(600).beeps().listens()
    expect(call.results.at(-1)).toBe('voicemail')
    expect(call.end).toBe('agent/voicemail')
  })
})
