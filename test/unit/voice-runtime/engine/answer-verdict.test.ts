import { describe, expect, test } from 'vitest'

import type { AnswerEvidence } from '#voice/engine/answer-verdict.ts'
import { answerVerdict, decisiveSilenceMs, isMachineText } from '#voice/engine/answer-verdict.ts'
import { DEFAULT_TIMING } from '#voice/engine/settings.ts'

const NOTHING: AnswerEvidence = {
  isSpeech: false,
  speechMs: 0,
  silenceMs: null,
  waitedMs: 0,
  text: '',
  isToneHeard: false,
}

test.each<[string, Partial<AnswerEvidence>, string]>([
  ['just answered', {}, 'undecided'],
  ['silent up to the limit', { waitedMs: 1_999 }, 'undecided'],
  ['silent for the limit', { waitedMs: 2_000 }, 'unknown'],
  ['a tone and no speech', { isToneHeard: true }, 'undecided'],
  ['speaking, however long', { isSpeech: true, waitedMs: 9_000 }, 'undecided'],
  ['a short greeting, just over', { speechMs: 700, silenceMs: 499 }, 'undecided'],
  ['a short greeting and silence', { speechMs: 700, silenceMs: 500 }, 'human'],
  ['the longest short greeting', { speechMs: 2_500, silenceMs: 500 }, 'human'],
  ['a longer greeting', { speechMs: 2_501, silenceMs: 500 }, 'undecided'],
  ['a longer greeting, nearly', { speechMs: 2_501, silenceMs: 1_499 }, 'undecided'],
  ['a longer greeting and a long pause', { speechMs: 2_501, silenceMs: 1_500 }, 'human'],
  ['a greeting and a tone', { speechMs: 4_000, silenceMs: 300, isToneHeard: true }, 'voicemail'],
  ['a phrase while it speaks', { isSpeech: true, text: 'please leave a message' }, 'voicemail'],
  ['a phrase, and short', { speechMs: 900, silenceMs: 600, text: 'Leave a message!' }, 'voicemail'],
])('%s', (_name, change, verdict) => {
  expect(answerVerdict({ ...NOTHING, ...change }, DEFAULT_TIMING)).toBe(verdict)
})

test('the decisive silence depends on the length of the greeting', () => {
  expect(decisiveSilenceMs(2_500, DEFAULT_TIMING)).toBe(DEFAULT_TIMING.personSilenceMs)
  expect(decisiveSilenceMs(2_600, DEFAULT_TIMING)).toBe(1_500)
})

describe('machine phrases', () => {
  test.each([
    "Hi, you've reached Bob. I can't take your call right now.",
    'Please leave your message after the TONE.',
    'At the beep, record your message.',
    'Your call has been forwarded to voice mail.',
    'The mailbox is full.',
    'Bob can’t come to the phone.',
    'If you would like to leave a message, wait. Record after the beep.',
    'Bitte hinterlassen Sie eine Nachricht nach dem Signalton.',
    'Laissez-moi un message après le bip.',
    'Deje un mensaje después de la señal.',
    'Lasciate un messaggio dopo il segnale acustico.',
  ])('%s', (text) => {
    expect(isMachineText(text)).toBe(true)
  })

  test.each([
    'Hello?',
    'Dental clinic, this is Anna speaking, how may I help you today?',
    'She is not available right now. Would you like to leave a message?',
    'You can leave a message with me.',
    "I can't talk right now.",
    'Sorry I missed your call.',
    'What is this about?',
    "Record your name and reason for calling, and I'll see if this person is available.",
    '',
  ])('not: %s', (text) => {
    expect(isMachineText(text)).toBe(false)
  })
})
