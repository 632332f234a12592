/** Reads RFC 4180: every line ends with CRLF, quoted cells may hold anything. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (at < text.length) {
    cell.lastIndex = at
    const [whole = '', quoted, plain = '', end] = cell.exec(text) ?? []
    if (whole === '') throw new Error(`No CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    at += whole.length
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
