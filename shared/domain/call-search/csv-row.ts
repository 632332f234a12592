/** One record of CSV as RFC 4180 writes it, safe to open in a spreadsheet. */

export type CsvCell = string | number | boolean | null

/** The line with its CRLF. Null is an empty cell. */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: CsvCell): string {
  const text = typeof cell === 'string' ? withoutFormula(cell) : String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run cells that begin like this, the full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const PHONE_NUMBER = /^\+\d{6,15}$/

/** An apostrophe in front makes text of a formula; a phone number is none and stays as it is. */
function withoutFormula(text: string): string {
  return FORMULA.test(text) && !PHONE_NUMBER.test(text) ? `'${text}` : text
}
