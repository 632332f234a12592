import { type Answer, ok, refused } from './answer.ts'

const LENGTH_MAX = 255
/** A string of RFC 9651, as the draft of the header field has it. */
const QUOTED = /^"(?:[ !#-[\]-~]|\\["\\])*"$/
/** As many clients send it. A comma would be two header fields in one. */
const BARE = /^[!#-+\--~]+$/

/** The key that a client gave its request, without quotes; null when it gave none. */
export function readIdempotencyKey(field: string | undefined): Answer<string | null> {
  if (field === undefined) return ok(null)
  const text = field.trim()
  const key = QUOTED.test(text) ? text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : text
  const isWellFormed = (QUOTED.test(text) || BARE.test(text)) && key !== ''
  if (isWellFormed && key.length <= LENGTH_MAX) return ok(key)
  return refused(
    'malformed_request',
    `Expected an Idempotency-Key of 1 to ${LENGTH_MAX} printable characters, quoted or not`,
  )
}
