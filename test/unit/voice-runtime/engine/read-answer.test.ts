import { describe, expect, test } from 'vitest'

import { phrasePattern, plainText } from '#voice/engine/phrase-pattern.ts'
import { readAnswer } from '#voice/engine/read-answer.ts'

describe('which machine says this', () => {
  test.each([
    ["Hi, you've reached Bob. I can't take your call right now.", 'voicemail'],
    ['Please leave your message after the TONE.', 'voicemail'],
    ['At the beep, record your message.', 'voicemail'],
    ['Your call has been forwarded to voice mail.', 'voicemail'],
    ['The mailbox is full.', 'voicemail'],
    ['Bob can’t come to the phone.', 'voicemail'],
    ['If you would like to leave a message, wait. Record after the beep.', 'voicemail'],
    ['Bitte hinterlassen Sie eine Nachricht nach dem Signalton.', 'voicemail'],
    ['Laissez-moi un message après le bip.', 'voicemail'],
    ['Deje un mensaje después de la señal.', 'voicemail'],
    ['Lasciate un messaggio dopo il segnale acustico.', 'voicemail'],
    ['For sales, press one.', 'menu'],
    ['Thank you for calling. To leave a message, press three.', 'menu'],
    ['Para ventas, marque uno.', 'menu'],
    ['Für den Vertrieb drücken Sie die Eins.', 'menu'],
    ['All our agents are busy. Your call is important to us.', 'menu'],
    [
      'If you record your name and reason for calling, I will see if this person is available.',
      'screening',
    ],
    ['This call is being screened.', 'screening'],
    ['Please state your name after the tone, and the person will be with you.', 'screening'],
  ])('%s %s', (text, machine) => {
    expect(readAnswer(text).machine).toBe(machine)
  })

  test.each([
    'Hello?',
    'Dental clinic, this is Anna speaking, how may I help you today?',
    'She is not available right now. Would you like to leave a message?',
    'You can leave a message with me.',
    "I can't talk right now.",
    'Sorry I missed your call.',
    'What is this about?',
    'Thank you for calling Acme, this is Tom.',
    'Can I speak to a human, please?',
    'Please never call me again.',
    'I am busy right now, could you call me back later?',
    '',
  ])('a person: %s', (text) => {
    expect(readAnswer(text).machine).toBeNull()
  })

  test('half a greeting can be clear enough, and less than that is suspicious', () => {
    expect(readAnswer('you have reached the')).toMatchObject({ machine: null, isSuspicious: true })
    expect(readAnswer('you have reached the voicemail')).toMatchObject({ machine: 'voicemail' })
  })

  test('persons and requests to wait are told', () => {
    expect(readAnswer('Front desk, how can I help?').isPerson).toBe(true)
    expect(readAnswer('Stay on the line.')).toMatchObject({ isHold: true, isPerson: false })
  })
})

describe('the notation of phrases', () => {
  const matches = (phrase: string, text: string): boolean =>
    plainText(text).search(phrasePattern([phrase])) >= 0

  test.each([
    ['leave ~ message', 'Leave me a short message!', true],
    ['leave ~ message', 'Leave it with one of the very last message', false],
    ['press/dial #', 'dial ZERO', true],
    ['press/dial #', 'press any', false],
    ['tone', 'the stone', false],
    ['cant', "can't", true],
    ['apres le bip', 'après le bip', true],
  ])('%s in %s', (phrase, text, isIn) => {
    expect(matches(phrase, text)).toBe(isIn)
  })
})
