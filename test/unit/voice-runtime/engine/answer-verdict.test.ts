import { expect, test } from 'vitest'

import type { AnswerEvidence } from '#voice/engine/answer-verdict.ts'
import { answerVerdict, decisiveSilenceMs } from '#voice/engine/answer-verdict.ts'
import { DEFAULT_TIMING } from '#voice/engine/settings.ts'

const NOTHING: AnswerEvidence = {
  isSpeech: false,
  speechMs: 0,
  silenceMs: null,
  waitedMs: 0,
  text: '',
  isToneHeard: false,
  carrier: null,
  opinion: null,
}
const BUSINESS = 'Garage Novak in Brook Street, open from eight till six.'

test.each<[string, Partial<AnswerEvidence>, string]>([
  ['just answered', {}, 'undecided'],
  ['silent up to the limit', { waitedMs: 1_999 }, 'undecided'],
  ['silent for the limit', { waitedMs: 2_000 }, 'unknown'],
  ['a tone and no speech', { isToneHeard: true }, 'undecided'],
  [
    'a tone and a sound without words',
    { speechMs: 400, silenceMs: 100, isToneHeard: true },
    'undecided',
  ],
  ['a sound and silence', { speechMs: 400, silenceMs: 500 }, 'unknown'],
  ['speaking, however long', { isSpeech: true, speechMs: 9_000, waitedMs: 9_000 }, 'undecided'],
  ['a short greeting, just over', { speechMs: 700, silenceMs: 499, text: 'Hi' }, 'undecided'],
  ['a short greeting and silence', { speechMs: 700, silenceMs: 500, text: 'Hi' }, 'human'],
  ['the longest short greeting', { speechMs: 2_500, silenceMs: 500, text: BUSINESS }, 'human'],
  ['a longer one', { speechMs: 2_501, silenceMs: 500, text: BUSINESS }, 'doubtful'],
  ['a longer one, still spoken', { isSpeech: true, speechMs: 2_501, text: BUSINESS }, 'doubtful'],
  [
    'a longer one, nearly',
    { speechMs: 2_501, silenceMs: 999, text: BUSINESS, opinion: 'unknown' },
    'undecided',
  ],
  [
    'a longer one and a long pause',
    { speechMs: 2_501, silenceMs: 1_000, text: BUSINESS, opinion: 'unknown' },
    'human',
  ],
  [
    'one that offers help',
    { speechMs: 5_000, silenceMs: 500, text: 'How may I help you?' },
    'human',
  ],
  [
    'a short one that sounds like a machine',
    { speechMs: 900, silenceMs: 500, text: "You've reached Bob." },
    'doubtful',
  ],
  [
    'a suspicious one and its pause',
    { speechMs: 900, silenceMs: 1_500, text: "You've reached Bob.", opinion: 'unknown' },
    'human',
  ],
  [
    'a greeting and a tone',
    { speechMs: 4_000, silenceMs: 300, text: BUSINESS, isToneHeard: true },
    'voicemail',
  ],
  ['a phrase while it speaks', { isSpeech: true, text: 'please leave a message' }, 'voicemail'],
  ['a menu', { isSpeech: true, text: 'For sales, press one.' }, 'IVR'],
  [
    'a screening assistant',
    { isSpeech: true, text: 'Record your name and reason for calling' },
    'handset-screening-filter',
  ],
  [
    'a model that is waited for',
    { speechMs: 4_000, silenceMs: 1_999, text: BUSINESS, opinion: 'asked' },
    'undecided',
  ],
  [
    'a model that does not answer',
    { speechMs: 4_000, silenceMs: 2_000, text: BUSINESS, opinion: 'asked' },
    'human',
  ],
  [
    'a model that says machine',
    { isSpeech: true, text: BUSINESS, opinion: 'voicemail' },
    'voicemail',
  ],
  [
    'a model that says person, while they speak',
    { isSpeech: true, text: BUSINESS, opinion: 'human' },
    'undecided',
  ],
  [
    'a model that says person',
    { speechMs: 4_000, silenceMs: 500, text: BUSINESS, opinion: 'human' },
    'human',
  ],
  [
    'a carrier that says machine',
    { speechMs: 700, silenceMs: 500, text: 'Hi', carrier: 'machine' },
    'doubtful',
  ],
  [
    'a carrier that says machine, and nothing else',
    { speechMs: 700, silenceMs: 1_000, text: 'Hi', carrier: 'machine', opinion: 'unknown' },
    'voicemail',
  ],
  [
    'a carrier that says person',
    { speechMs: 4_000, silenceMs: 500, text: BUSINESS, carrier: 'human' },
    'human',
  ],
  [
    'a carrier that is wrong about a mailbox',
    { isSpeech: true, text: 'leave a message', carrier: 'human' },
    'voicemail',
  ],
])('%s', (_name, change, verdict) => {
  expect(answerVerdict({ ...NOTHING, ...change }, DEFAULT_TIMING)).toBe(verdict)
})

test('the decisive silence depends on length, words, and whether a model is asked', () => {
  const silence = (change: Partial<AnswerEvidence>): number =>
    decisiveSilenceMs({ ...NOTHING, text: BUSINESS, ...change }, DEFAULT_TIMING)
  expect(silence({ speechMs: 2_500 })).toBe(DEFAULT_TIMING.personSilenceMs)
  expect(silence({ speechMs: 2_600 })).toBe(1_000)
  expect(silence({ speechMs: 900, text: 'You have reached Bob.' })).toBe(1_500)
  expect(silence({ speechMs: 2_600, text: '' })).toBe(1_500)
  expect(silence({ speechMs: 2_600, opinion: 'asked' })).toBe(1_000 + DEFAULT_TIMING.opinionMs)
})
