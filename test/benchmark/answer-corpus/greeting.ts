import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'

/** Who, or what, answers. */
export type Answerer =
  | 'person'
  | 'business'
  | 'mailbox'
  | 'menu'
  | 'screening'
  | 'fax'
  | 'ringback'
  | 'silence'

/** What the service should say about each. */
export const RIGHT_RESULT: Readonly<Record<Answerer, AttemptResult>> = {
  person: 'human',
  business: 'human',
  mailbox: 'voicemail',
  menu: 'IVR',
  screening: 'handset-screening-filter',
  fax: 'unknown',
  ringback: 'unknown',
  silence: 'unknown',
}

/** What they say, in one language; `...` is a long pause. */
export interface Greetings {
  readonly language: 'en' | 'de' | 'fr' | 'es'
  readonly answerer: Answerer
  readonly texts: readonly string[]
}
