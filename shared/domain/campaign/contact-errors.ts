import { lineBreaksIn, recordsOf, type ContactFormat } from './contact-file.ts'
import { contactProblem } from './row-order.ts'

/** A contact of a file that can never be called. */
export interface ContactError {
  /** Of the file, from 1; a record of several lines is named by its first. */
  readonly lineNumber: number
  /** Of the row that it has become. */
  readonly rowIndex: number
  /** As it was written; null where the line has none. */
  readonly phoneNumber: string | null
  readonly reason: string
}

/** A place in a file of contacts. */
export interface ContactPosition {
  readonly offset: number
  /** What the next record is. */
  readonly lineNumber: number
  readonly rowIndex: number
}

/**
 * The contacts in a piece of a file that can never be called, at most `limit`, and where the rest
 * begins. `isEnd`: nothing follows the piece.
 */
export function readContactErrors(
  bytes: Uint8Array,
  options: {
    readonly format: ContactFormat
    readonly isEnd: boolean
    /** Where the piece begins. */
    readonly at: ContactPosition
    readonly limit: number
  },
): { readonly errors: readonly ContactError[]; readonly next: ContactPosition } {
  const errors: ContactError[] = []
  let next = options.at
  for (const { line, start, end } of recordsOf(bytes, options)) {
    const { lineNumber, rowIndex } = next
    const reason = line === null ? null : contactProblem(line)
    if (line !== null && reason !== null) {
      const phoneNumber = line.kind === 'contact' ? line.contact.toPhoneNumber : null
      errors.push({ lineNumber, rowIndex, phoneNumber, reason })
    }
    next = {
      offset: options.at.offset + end,
      lineNumber: lineNumber + lineBreaksIn(bytes.subarray(start, end)),
      rowIndex: rowIndex + (line === null ? 0 : 1),
    }
    if (errors.length === options.limit) break
  }
  return { errors, next }
}
