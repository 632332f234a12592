/** One record of RFC 4180 as its fields; null when a quote is not closed or closed too early. */
export function parseCsvRecord(text: string): string[] | null {
  const fields: string[] = []
  for (let at = 0; ; at += 1) {
    const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at)
    if (field === null) return null
    fields.push(field.value)
    at = field.end
    if (at >= text.length) return fields
  }
}

/** `end` is the place of the comma behind it, or of the end. */
interface Field {
  readonly value: string
  readonly end: number
}

function plainField(text: string, start: number): Field | null {
  const comma = text.indexOf(',', start)
  const end = comma < 0 ? text.length : comma
  const value = text.slice(start, end)
  return value.includes('"') ? null : { value, end }
}

function quotedField(text: string, start: number): Field | null {
  let value = ''
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return null
    value += text.slice(from, quote)
    const next = text[quote + 1]
    if (next !== '"') {
      return next === undefined || next === ',' ? { value, end: quote + 1 } : null
    }
    value += '"'
    from = quote + 2
  }
}
