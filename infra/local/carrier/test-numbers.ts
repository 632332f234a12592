import type { Callee } from './callee.ts'
import { menu } from './callees/menu.ts'
import { person, type PersonScript } from './callees/person.ts'
import { screening } from './callees/screening.ts'
import { voicemail } from './callees/voicemail.ts'

/** What becomes of one dial. Times in ms from the dial. */
export type DialPlan =
  | { readonly kind: 'fails'; readonly sipCode: number; readonly endedBy: 'callee' | 'carrier' }
  | { readonly kind: 'ringsOut' }
  | {
      readonly kind: 'answers'
      readonly afterMs: number
      readonly callee: Callee
      /** Who rings the caller back, and how long after the end of this call. */
      readonly callsBack?: { readonly afterMs: number; readonly caller: Callee }
    }

const TWO_RINGS_MS = 2_000

const TALKATIVE: PersonScript = {
  greeting: 'hello',
  answers: ['yes_speaking', 'sounds_good', 'tuesday_morning', 'no_thats_all'],
  farewell: 'goodbye',
  interjections: [],
  reactionMs: 600,
  hangsUpAfterMs: null,
}
const CALL_ME_LATER: PersonScript = {
  ...TALKATIVE,
  answers: ['call_me_later', 'tomorrow_at_three'],
  reactionMs: 500,
}
const INTERRUPTING: PersonScript = {
  ...TALKATIVE,
  interjections: ['wait_a_moment', 'mm_hm'],
  reactionMs: 400,
}
const HURRIED: PersonScript = { ...TALKATIVE, hangsUpAfterMs: 2_000 }
const COLLEAGUE: PersonScript = { ...TALKATIVE, greeting: 'colleague_hello' }
/** Calls because of a missed call, and then talks like the others. */
const CALLING_BACK: PersonScript = {
  ...TALKATIVE,
  greeting: null,
  answers: ['missed_your_call', 'sounds_good', 'tuesday_morning', 'no_thats_all'],
}
const CALLS_BACK_AFTER_MS = 60_000
const NEVER_AGAIN: PersonScript = { ...TALKATIVE, answers: ['never_call_again'] }
const SPEECHLESS: PersonScript = { ...TALKATIVE, greeting: null, answers: [], farewell: null }

/**
 * The test numbers (decisions 6), as fixed as a payment provider's test cards: what happens at this
 * dial of a number, `dialsBefore` times of which were for the same order. Every other number is
 * answered like 0100.
 */
export function planDial(to: string, dialsBefore: number): DialPlan {
  switch (to) {
    case '+12025550101':
      return { kind: 'fails', sipCode: 486, endedBy: 'callee' }
    case '+12025550102':
      return { kind: 'ringsOut' }
    case '+12025550103':
      return { kind: 'fails', sipCode: 480, endedBy: 'carrier' }
    case '+12025550104':
      return { kind: 'fails', sipCode: 404, endedBy: 'carrier' }
    case '+12025550105':
      return answeredBy(voicemail)
    case '+12025550106':
      return answeredBy(menu(person(COLLEAGUE)))
    case '+12025550107':
      return answeredBy(screening(person(TALKATIVE)))
    case '+12025550115':
      return answeredBy(person(NEVER_AGAIN))
    case '+12025550117':
      return answeredBy(screening(null))
    case '+12025550108':
      return answeredBy(person(CALL_ME_LATER))
    case '+12025550109':
      return answeredBy(person(INTERRUPTING))
    case '+12025550110':
      return answeredBy(person(HURRIED))
    case '+12025550111':
      return dialsBefore === 0 ? { kind: 'ringsOut' } : answeredBy(person(TALKATIVE))
    case '+12025550113':
      return answeredBy(person(SPEECHLESS))
    case '+12025550114':
      return dialsBefore === 0 ? CALLS_BACK : answeredBy(person(TALKATIVE))
    default:
      return answeredBy(person(TALKATIVE))
  }
}

const CALLS_BACK: DialPlan = {
  kind: 'answers',
  afterMs: TWO_RINGS_MS,
  callee: voicemail,
  callsBack: { afterMs: CALLS_BACK_AFTER_MS, caller: person(CALLING_BACK) },
}

function answeredBy(callee: Callee): DialPlan {
  return { kind: 'answers', afterMs: TWO_RINGS_MS, callee }
}
