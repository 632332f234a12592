import * as z from 'zod'

/** Every way in which a request is refused, by its stable code (decisions 1). */
export const PROBLEMS = {
  malformed_request: { status: 400, title: 'The request cannot be read' },
  invalid_api_key: { status: 401, title: 'A valid API key is needed' },
  insufficient_scope: { status: 403, title: 'The API key does not allow this' },
  not_found: { status: 404, title: 'There is no such thing here' },
  method_not_allowed: { status: 405, title: 'This address does not take this method' },
  state_conflict: { status: 409, title: 'The current state does not allow this' },
  request_in_flight: { status: 409, title: 'The same request is being worked on' },
  number_in_use: { status: 409, title: 'A campaign calls from this number' },
  number_taken: { status: 409, title: 'The number belongs to somebody' },
  no_number_left: { status: 409, title: 'There is no number to give' },
  assistant_in_use: { status: 409, title: 'The assistant is in use' },
  content_too_large: { status: 413, title: 'The request body is too large' },
  use_upload: { status: 413, title: 'So many contacts have to be uploaded' },
  unsupported_media_type: { status: 415, title: 'The request body must be JSON' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  idempotency_key_reused: { status: 422, title: 'The key stands for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  service_unavailable: { status: 503, title: 'The service cannot answer now' },
} as const satisfies Record<string, { status: number; title: string }>
export type ProblemCode = keyof typeof PROBLEMS

const fieldErrorSchema = z.strictObject({
  /** JSON Pointer (RFC 6901) into the request body; a parameter of the query by its name. */
  pointer: z.string(),
  code: z.string(),
  detail: z.string(),
})
export type FieldError = z.output<typeof fieldErrorSchema>

/** RFC 9457, with this service's additions (decisions 1). */
export const problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  instance: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(fieldErrorSchema).optional(),
})
export type Problem = z.output<typeof problemSchema>

/** Why a request is refused, before it is written down as a problem document. */
export interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  /** For `validation_failed`: what is wrong where. */
  readonly errors?: readonly FieldError[] | undefined
  /** Header fields that belong to the answer, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The document that answers a refused request. */
export function problemOf(
  refusal: Refusal,
  request: { readonly id: string; readonly path: string },
): Problem {
  return {
    type: `urn:parley:problem:${refusal.code}`,
    title: PROBLEMS[refusal.code].title,
    status: PROBLEMS[refusal.code].status,
    detail: refusal.detail,
    instance: request.path,
    code: refusal.code,
    request_id: request.id,
    ...(refusal.errors && { errors: [...refusal.errors] }),
  }
}
