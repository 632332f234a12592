import type { z } from 'zod'

import type { FieldError } from './problem.ts'

/** More would help nobody; a campaign could have a hundred thousand. */
export const FIELD_ERRORS_MAX = 100

/**
 * What zod found, as a list of places in the body, each with the first thing that is wrong there.
 * Parse with `reportInput` for exact codes.
 */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const places = new Map<string, FieldError>()
  for (const found of error.issues.flatMap(errorsOfIssue)) {
    if (!places.has(found.pointer)) places.set(found.pointer, found)
  }
  return [...places.values()].slice(0, FIELD_ERRORS_MAX)
}

/** A JSON Pointer (RFC 6901). */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function errorsOfIssue(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: jsonPointer([...issue.path, key]),
      code: 'unknown_field',
      detail: 'There is no such field here',
    }))
  }
  const code = codeOf(issue)
  return [{ pointer: jsonPointer(issue.path), code, detail: detailOf(issue, code) }]
}

/** What zod says, where that is meant for people. */
function detailOf(issue: z.core.$ZodIssue, code: string): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  const isMissing = code === 'required' && issue.code !== 'custom'
  return isMissing ? 'This field is needed' : issue.message
}

function codeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
      return issue.input === undefined ? 'required' : issue.code
    case 'invalid_union':
      return lacksDiscriminator(issue) ? 'required' : 'invalid_value'
    case 'too_small':
      return isLength(issue.origin) ? 'too_short' : 'too_small'
    case 'too_big':
      return isLength(issue.origin) ? 'too_long' : 'too_big'
    case 'invalid_format':
      return 'invalid_format'
    case 'custom':
      return String(issue.params?.['code'] ?? 'invalid_value')
    default:
      return 'invalid_value'
  }
}

function isLength(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}

/** Of a discriminated union zod reports the object that should have named its variant. */
function lacksDiscriminator(issue: z.core.$ZodIssueInvalidUnion): boolean {
  const { discriminator, input } = issue
  return (
    discriminator !== undefined && (input as Record<string, unknown>)[discriminator] === undefined
  )
}
