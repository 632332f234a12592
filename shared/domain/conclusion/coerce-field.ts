import type { StructuredOutputField } from '../assistant.ts'

type Scalar = string | number | boolean

export type Coerced =
  | { readonly kind: 'value'; readonly value: Scalar }
  | { readonly kind: 'missing' }
  | { readonly kind: 'wrong' }

const WRONG: Coerced = { kind: 'wrong' }

/** Makes what a model wrote into the field's type (spec 2.5), when its meaning is beyond doubt. */
export function coerceField(field: StructuredOutputField, raw: unknown): Coerced {
  if (raw === null || raw === undefined || raw === '') return { kind: 'missing' }
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') return WRONG
  switch (field.type) {
    case 'string':
      return value(String(raw))
    case 'number':
      return numberFrom(raw)
    case 'boolean':
      return booleanFrom(raw)
    case 'enum':
      return enumFrom(raw, field.enumOptions ?? [])
    case 'date':
      return typeof raw === 'string' && isDate(raw.slice(0, 10)) && /^.{10}(T|$)/.test(raw)
        ? value(raw.slice(0, 10))
        : WRONG
    case 'datetime':
      return typeof raw === 'string' && isDateTime(raw) ? value(raw) : WRONG
  }
}

function value(value: Scalar): Coerced {
  return { kind: 'value', value }
}

function numberFrom(raw: Scalar): Coerced {
  if (typeof raw === 'boolean') return WRONG
  if (typeof raw === 'string' && !/^\s*[-+]?\d+(\.\d+)?\s*$/.test(raw)) return WRONG
  const number = Number(raw)
  return Number.isFinite(number) ? value(number) : WRONG
}

function booleanFrom(raw: Scalar): Coerced {
  if (typeof raw === 'boolean') return value(raw)
  const word = String(raw).trim().toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return value(true)
  if (['false', 'no', '0'].includes(word)) return value(false)
  return WRONG
}

function enumFrom(raw: Scalar, options: readonly string[]): Coerced {
  const word = String(raw).trim().toLowerCase()
  const option = options.find((option) => option.trim().toLowerCase() === word)
  return option === undefined ? WRONG : value(option)
}

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number)
  if (!year || !month || !day || month > 12) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  return day <= days
}

/** RFC 3339; the offset may be missing, because a conversation seldom names one. */
function isDateTime(text: string): boolean {
  const time = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[-+]([01]\d|2[0-3]):[0-5]\d)?$/
  return isDate(text.slice(0, 10)) && time.test(text.slice(10))
}
