/**
 * Contacts as a file: NDJSON, one `{"to_phone_number", "prompt_variables"}` a line, or CSV, whose
 * first line names the columns: `to_phone_number` and the variables. Read piece by piece, so that a
 * file of any size needs the memory of one piece.
 */

import { parseCsvRecord } from './csv-record.ts'

export interface Contact {
  /** As it was written; whether it can be called is another question. */
  readonly toPhoneNumber: string
  readonly promptVariables: Readonly<Record<string, string>>
}

export type ContactLine =
  | { readonly kind: 'contact'; readonly contact: Contact }
  | { readonly kind: 'unusable'; readonly reason: string }

export type ContactFormat =
  | { readonly kind: 'ndjson' }
  | { readonly kind: 'csv'; readonly columns: readonly string[] }

export type OpenedContacts =
  | {
      readonly kind: 'opened'
      readonly format: ContactFormat
      /** The byte at which the first contact begins. */
      readonly start: number
    }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Longer ones could not be stored by the dozen (a transaction has 4 MB). */
export const CONTACT_BYTES_MAX = 65_536

/** No number is as long; indexes of the database hold no more than 2 KB. */
const PHONE_LENGTH_MAX = 64

const PHONE_COLUMN = 'to_phone_number'

const QUOTE = 0x22
const NEWLINE = 0x0a
const OPEN_BRACE = 0x7b
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Looks at the beginning of a file: what it is, and where its contacts begin. */
export function openContacts(head: Uint8Array): OpenedContacts {
  const from = BYTE_ORDER_MARK.every((byte, index) => head[index] === byte) ? 3 : 0
  const first = head.subarray(from).find((byte) => byte > 0x20)
  if (first === undefined) return { kind: 'unreadable', reason: 'The file is empty.' }
  if (first === OPEN_BRACE) return { kind: 'opened', format: { kind: 'ndjson' }, start: from }
  const end = endOfRecord(head, from, 'csv') ?? head.length
  const columns = parseCsvRecord(textOf(head.subarray(from, end)))?.map((name) => name.trim())
  if (columns?.includes(PHONE_COLUMN) !== true) {
    const reason = `The file is neither NDJSON nor CSV with a column ${PHONE_COLUMN}.`
    return { kind: 'unreadable', reason }
  }
  return { kind: 'opened', format: { kind: 'csv', columns }, start: Math.min(end + 1, head.length) }
}

/**
 * The contacts at the beginning of a piece, up to `limit`, and how many bytes they take. `isEnd`:
 * nothing follows the piece, so its last line needs no line break. Blank lines are no contacts.
 */
export function readContacts(
  bytes: Uint8Array,
  options: { readonly format: ContactFormat; readonly isEnd: boolean; readonly limit: number },
): { readonly lines: readonly ContactLine[]; readonly bytesRead: number } {
  const lines: ContactLine[] = []
  let bytesRead = 0
  for (const { line, end } of recordsOf(bytes, options)) {
    if (line !== null) lines.push(line)
    bytesRead = end
    if (lines.length === options.limit) break
  }
  return { lines, bytesRead }
}

/** A record of a file, from one byte up to another one, which belongs to the next. */
export interface ContactRecord {
  /** Null for a blank one. */
  readonly line: ContactLine | null
  readonly start: number
  readonly end: number
}

/** The complete records at the beginning of a piece, one after another. */
export function* recordsOf(
  bytes: Uint8Array,
  { format, isEnd }: { readonly format: ContactFormat; readonly isEnd: boolean },
): Generator<ContactRecord> {
  for (let start = 0; start < bytes.length;) {
    const lineBreak = endOfRecord(bytes, start, format.kind) ?? (isEnd ? bytes.length : null)
    if (lineBreak === null) return
    const end = Math.min(lineBreak + 1, bytes.length)
    yield { line: readLine(bytes.subarray(start, lineBreak), format), start, end }
    start = end
  }
}

/** How many lines end among these bytes. */
export function lineBreaksIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

/** A contact as a line of NDJSON, without a line break. */
export function writeContact({ toPhoneNumber, promptVariables }: Contact): string {
  return JSON.stringify({ to_phone_number: toPhoneNumber, prompt_variables: promptVariables })
}

/** The place of the line break that ends the record; null when it is not among these bytes. */
function endOfRecord(bytes: Uint8Array, from: number, kind: ContactFormat['kind']): number | null {
  if (kind === 'ndjson') {
    const end = bytes.indexOf(NEWLINE, from)
    return end < 0 ? null : end
  }
  let isQuoted = false
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) isQuoted = !isQuoted
    else if (bytes[at] === NEWLINE && !isQuoted) return at
  }
  return null
}

function readLine(bytes: Uint8Array, format: ContactFormat): ContactLine | null {
  if (bytes.length > CONTACT_BYTES_MAX) {
    return unusable(`The contact is longer than ${CONTACT_BYTES_MAX} bytes.`)
  }
  const text = textOf(bytes)
  if (text.trim() === '') return null
  return format.kind === 'ndjson' ? fromJson(text) : fromCsv(text, format.columns)
}

function fromJson(text: string): ContactLine {
  const value = parsedJson(text)
  if (!isRecord(value)) return unusable('The line is not a JSON object.')
  const { to_phone_number: toPhoneNumber, prompt_variables: variables = {}, ...rest } = value
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) return unusable(`There is no field ${JSON.stringify(unknown)}.`)
  if (typeof toPhoneNumber !== 'string') return unusable('The line lacks to_phone_number.')
  if (!isTextMap(variables)) return unusable('Prompt variables map names to texts.')
  return contactLine({ toPhoneNumber, promptVariables: variables })
}

function fromCsv(text: string, columns: readonly string[]): ContactLine {
  const fields = parseCsvRecord(text)
  if (fields === null) return unusable('A quote of the line is not closed, or in its middle.')
  if (fields.length !== columns.length) {
    return unusable(`The line has ${fields.length} fields, the first one ${columns.length}.`)
  }
  const named = columns.map((name, index): [string, string] => [name, fields[index] ?? ''])
  const toPhoneNumber = named.find(([name]) => name === PHONE_COLUMN)?.[1].trim() ?? ''
  const variables = named.filter(([name]) => name !== PHONE_COLUMN && name !== '')
  return contactLine({ toPhoneNumber, promptVariables: Object.fromEntries(variables) })
}

function contactLine(contact: Contact): ContactLine {
  return contact.toPhoneNumber.length > PHONE_LENGTH_MAX
    ? unusable(`The phone number is longer than ${PHONE_LENGTH_MAX} characters.`)
    : { kind: 'contact', contact }
}

function unusable(reason: string): ContactLine {
  return { kind: 'unusable', reason }
}

/** Without the carriage return that Windows puts before the line break. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/\r$/, '')
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string')
}
