import { FIELD_ERRORS_MAX, jsonPointer } from './field-errors.ts'
import type { FieldError } from './problem.ts'

/** Without one of these there is nothing to look for. */
const SUSPECT = /__proto__|\\u/i

/**
 * Names and texts of a JSON body that could not be kept as they are, so that nothing is lost without
 * a word: `__proto__` sets the prototype wherever an object is copied, and half of a surrogate pair
 * is no Unicode text, which a database replaces. `text` is what `value` was parsed from.
 */
export function unkeepable(text: string, value: unknown): FieldError[] {
  if (!SUSPECT.test(text)) return []
  const errors: FieldError[] = []
  // No recursion: a body may be nested a hundred thousand times.
  const open: Part[] = [{ value, parent: null, name: '' }]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const found = problemOf(part)
    if (found !== null) errors.push({ ...found, pointer: jsonPointer(pathOf(part)) })
    if (errors.length === FIELD_ERRORS_MAX) break
    if (typeof part.value !== 'object' || part.value === null) continue
    for (const [name, inner] of Object.entries(part.value).reverse()) {
      open.push({ value: inner, parent: part, name })
    }
  }
  return errors
}

interface Part {
  readonly value: unknown
  readonly parent: Part | null
  readonly name: string
}

function problemOf({ value, name }: Part): Omit<FieldError, 'pointer'> | null {
  if (name === '__proto__') {
    return { code: 'unusable_name', detail: 'A field cannot be named __proto__' }
  }
  const isText = name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())
  if (isText) return null
  return { code: 'invalid_text', detail: 'Half of a surrogate pair is no text' }
}

function pathOf(part: Part): string[] {
  const path: string[] = []
  for (let at = part; at.parent !== null; at = at.parent) path.unshift(at.name)
  return path
}
