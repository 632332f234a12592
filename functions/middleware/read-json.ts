import type { Route } from '#shared/contract/route.ts'
import { unkeepable } from '#shared/contract/unkeepable.ts'

import { type Answer, invalid, ok, refused } from './answer.ts'

/** Large enough for any assistant, and small enough for one item of the table. */
const DEFAULT_LIMIT = { bytesMax: 256 * 1024, beyond: 'content_too_large' } as const

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** The JSON value in a request's body, or what is wrong with the body. */
export function readJson(request: {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly body: string | undefined
  readonly isBase64Encoded: boolean
  readonly large?: Route['largeBody']
}): Answer<unknown> {
  if (!JSON_TYPE.test(request.contentType ?? '')) {
    return refused('unsupported_media_type', 'Send the body as application/json')
  }
  if (!/^(?:identity)?$/i.test(request.contentEncoding?.trim() ?? '')) {
    return refused('unsupported_media_type', 'Send the body as it is, without a Content-Encoding')
  }
  const bytes = Buffer.from(request.body ?? '', request.isBase64Encoded ? 'base64' : 'utf8')
  const { bytesMax, beyond } = request.large ?? DEFAULT_LIMIT
  if (bytes.length > bytesMax)
    return refused(beyond, `A request body has at most ${bytesMax} bytes`)
  const parsed = parse(bytes)
  if (parsed === null) return refused('malformed_request', 'The body is not valid JSON')
  const errors = unkeepable(parsed.text, parsed.value)
  return errors.length > 0 ? invalid(errors) : ok(parsed.value)
}

function parse(bytes: Uint8Array): { readonly text: string; readonly value: unknown } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    return null
  }
}
