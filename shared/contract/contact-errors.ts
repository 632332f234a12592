/** What is wrong with the contacts of a campaign: an extension of spec 4.2. */

import * as z from 'zod'

import { csvRow } from '#shared/domain/call-search/csv-row.ts'
import type { ContactError, ContactPosition } from '#shared/domain/campaign/contact-errors.ts'

const OFFSET = /^(\d{1,12})-(\d{1,10})-(\d{1,10})$/

/** Where the report goes on, as an opaque text. */
export function writeContactOffset({ offset, lineNumber, rowIndex }: ContactPosition): string {
  return `${offset}-${lineNumber}-${rowIndex}`
}

/** Null when it is none of ours. */
export function readContactOffset(text: string): ContactPosition | null {
  const [offset, lineNumber, rowIndex] = (OFFSET.exec(text) ?? []).slice(1).map(Number)
  if (offset === undefined || lineNumber === undefined || rowIndex === undefined) return null
  return { offset, lineNumber, rowIndex }
}

export const contactErrorsQuery = z.strictObject({
  /** The `next_offset` of the part before. */
  offset: z
    .string()
    .refine((text) => readContactOffset(text) !== null, {
      error: 'Expected the next_offset of an earlier answer',
      params: { code: 'invalid_cursor' },
    })
    .optional(),
})

/** The parts put behind each other are one table: only the first begins with the header. */
export const contactErrorsAnswer = z.strictObject({
  csv: z.string(),
  filename: z.string(),
  next_offset: z.string().nullable(),
})

export const CONTACT_ERRORS_HEADER = csvRow(['line', 'row_index', 'to_phone_number', 'error'])

/** One of them as a line of the table. */
export function contactErrorRow(error: ContactError): string {
  const { lineNumber, rowIndex, phoneNumber, reason } = error
  return csvRow([lineNumber, rowIndex, phoneNumber, reason])
}
