import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { csvRow } from '#shared/domain/call-search/csv-row.ts'
import { parseCsv } from '#test/support/parse-csv.ts'

test.each<[string | number | boolean | null, string]>([
  ['plain', 'plain'],
  ['', ''],
  [null, ''],
  [0, '0'],
  [-5, '-5'],
  [true, 'true'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['carriage\rreturn', '"carriage\rreturn"'],
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠1', "'＠1"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['+33612345678', '+33612345678'],
  ['+12025550100', '+12025550100'],
  ['+12025550100,+1', `"'+12025550100,+1"`],
  ['+1202555010012345', "'+1202555010012345"],
  ['a=1', 'a=1'],
])('the cell %j is written %j', (cell, written) => {
  expect(csvRow([cell])).toBe(`${written}\r\n`)
})

describe('any row', () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '=', '+', "'", '1', 'é') }),
    fc.string({ unit: 'grapheme' }),
  )

  test('is read again as it was, but for the apostrophe before formulas', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }), (rows) => {
        const read = parseCsv(rows.map(csvRow).join(''))
        const texts = read.map((row) =>
          row.map((text) => (/^'[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text)),
        )
        const wanted = rows.map((row) =>
          row.map((text) => (/^'[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text)),
        )
        expect(texts).toEqual(wanted)
      }),
    )
  })

  test('holds no cell that a spreadsheet would run', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (row) => {
        const [read = []] = parseCsv(csvRow(row))
        const running = read.filter((text) => /^[=+\-@\t\r\n＝＋－＠]/.test(text))
        expect(running.filter((text) => !/^\+\d{6,15}$/.test(text))).toEqual([])
      }),
    )
  })
})
