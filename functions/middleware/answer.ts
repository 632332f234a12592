import type { FieldError, ProblemCode, Refusal } from '#shared/contract/problem.ts'

/** What an operation says to a request: its JSON body, or why not. */
export type Answer<Body> =
  | { readonly kind: 'ok'; readonly body: Body; readonly headers?: Headers }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

type Headers = Readonly<Record<string, string>>

export type Refused = Extract<Answer<never>, { readonly kind: 'refused' }>

export function ok<Body>(body: Body): Answer<Body> {
  return { kind: 'ok', body }
}

export function refused(
  code: ProblemCode,
  detail: string,
  more: Pick<Refusal, 'errors' | 'headers'> = {},
): Refused {
  return { kind: 'refused', refusal: { code, detail, ...more } }
}

export function invalid(errors: readonly FieldError[]): Refused {
  return refused('validation_failed', 'Some fields of the request body are not valid', { errors })
}

/** The same answer with header fields added. */
export function withHeaders<Body>(answer: Answer<Body>, headers: Headers): Answer<Body> {
  return answer.kind === 'ok'
    ? { ...answer, headers: { ...answer.headers, ...headers } }
    : {
        ...answer,
        refusal: { ...answer.refusal, headers: { ...answer.refusal.headers, ...headers } },
      }
}
