/** Why a call was never answered, in the specification's words (reference/protocols-media.md 2.1). */

import type { DialError } from './attempt.ts'

/** How a carrier explains the end of a dial; each adapter fills in what its vendor tells. */
export interface CarrierCause {
  /** Final SIP status code. */
  readonly sipCode: number | null
  /** The vendor's word, error code or reason phrase. */
  readonly reason: string | null
  /** Cause of the `Reason: Q.850` header. */
  readonly q850: number | null
  readonly endedBy: 'callee' | 'caller' | 'carrier'
}

/**
 * The dial error of an unanswered call. Read in this order: a Q.850 cause that decides, a word that
 * explains a general refusal, the SIP code. Only what surely will not change maps to an error that is
 * never retried.
 */
export function classifyCarrierCause(cause: CarrierCause): DialError {
  return (
    (cause.q850 === null ? undefined : BY_Q850.get(cause.q850)) ??
    byReason(cause) ??
    bySipCode(cause)
  )
}

const BY_Q850: ReadonlyMap<number, DialError> = new Map<number, DialError>([
  [1, 'number_non_attributed'],
  [17, 'busy'],
  [18, 'no_answer'],
  [19, 'no_answer'],
  [20, 'temporarily_unavailable'],
  [22, 'number_non_attributed'],
  [27, 'temporarily_unavailable'],
  [28, 'number_non_attributed'],
  [34, 'temporarily_unavailable'],
  [38, 'temporarily_unavailable'],
  [41, 'temporarily_unavailable'],
  [42, 'too_many_calls'],
])

const SIP_CODES: Readonly<Partial<Record<DialError, readonly number[]>>> = {
  busy: [486, 600],
  no_answer: [408],
  number_non_attributed: [404, 410, 484, 604],
  temporarily_unavailable: [480, 502, 503],
  too_many_calls: [429],
  precondition_failed: [401, 407, 412, 580],
}

/** Our own word, Twilio's and Telnyx's words and codes. A general refusal (403, 429, 5xx) may carry one of these. */
const REFUSAL_WORDS: Readonly<Partial<Record<DialError, readonly string[]>>> = {
  too_many_calls: 'cps concurrent d1 d2 d3 d22 10004 20429 10011'.split(' '),
  no_international_permission: 'geo geographic international 21215 13227'.split(' '),
  precondition_failed:
    'suppressed d10 d11 d12 d13 d14 d15 d16 d17 d18 d19 d25 d26 d27 d28 d29 21210 21212 21219 10001 20003 10009 10010'.split(
      ' ',
    ),
}

/** Words that count only where there is no SIP code to say it better. */
const CALL_WORDS: Readonly<Partial<Record<DialError, readonly string[]>>> = {
  busy: 'busy user_busy 34002'.split(' '),
  no_answer: 'no-answer no_answer timeout'.split(' '),
  number_non_attributed: 'not_found 21211 21214 21217 10002 10016'.split(' '),
}

const BY_SIP_CODE = inverted(SIP_CODES)
const BY_REFUSAL_WORD = inverted(REFUSAL_WORDS)
const BY_CALL_WORD = inverted(CALL_WORDS)

function inverted<K>(table: Readonly<Partial<Record<DialError, readonly K[]>>>): Map<K, DialError> {
  const rows = Object.entries(table) as [DialError, readonly K[]][]
  return new Map(rows.flatMap(([error, keys]) => keys.map((key) => [key, error] as const)))
}

function byReason({ sipCode, reason }: CarrierCause): DialError | undefined {
  const words = reason?.toLowerCase().match(/[a-z0-9_-]+/g) ?? []
  const isGeneral = sipCode === null || sipCode === 403 || sipCode === 429 || sipCode >= 500
  const refusal = isGeneral ? firstOf(words, BY_REFUSAL_WORD) : undefined
  return refusal ?? (sipCode === null ? firstOf(words, BY_CALL_WORD) : undefined)
}

function firstOf(
  words: readonly string[],
  errors: ReadonlyMap<string, DialError>,
): DialError | undefined {
  return words.map((word) => errors.get(word)).find((error) => error !== undefined)
}

function bySipCode({ sipCode, endedBy }: CarrierCause): DialError {
  const isRungOut = endedBy === 'caller' && (sipCode === null || sipCode === 487)
  if (isRungOut) return 'no_answer'
  return (sipCode === null ? undefined : BY_SIP_CODE.get(sipCode)) ?? 'non_classified_error'
}
