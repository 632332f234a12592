import { execFileSync } from 'node:child_process'
import path from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { ROOT } from '#test/architecture/source-tree.ts'

import { SPEC_CLAUSES } from './spec-clauses.ts'

/** Titles as they are run: rows of tables are written out, which takes loading the tests. */
function contractTitles(): string[] {
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
  const list = ['list', 'test/contract/api', '--project', 'contract', '--json']
  // Loaded, not parsed; and into one process, which nothing of them minds.
  list.push('--staticParse=false', '--isolate=false')
  const output = execFileSync(process.execPath, [vitest, ...list], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const found = JSON.parse(output) as { readonly name: string }[]
  return found.map(({ name }) => name)
}

/** Whether a title names a clause; a field may stand behind the one that it belongs to. */
function names(title: string, section: string, clause: string): boolean {
  const escaped = clause.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const place = section.replace('.', '\\.')
  const separator = section === '5' ? '\\.' : ' (?:[\\w-]+\\.)*'
  return new RegExp(`spec ${place}${separator}${escaped}(?![\\w/-]|\\.\\w)`).test(title)
}

describe('the clauses of the specification', () => {
  let titles: string[]
  beforeAll(() => {
    titles = contractTitles()
  }, 240_000)

  const clauses = Object.entries(SPEC_CLAUSES).flatMap(([section, list]) =>
    list.map((clause): [section: string, clause: string] => [section, clause]),
  )
  test('each is named by a test of the HTTP contract', () => {
    const unnamed = clauses.filter(
      ([section, clause]) => !titles.some((title) => names(title, section, clause)),
    )
    expect(unnamed.map(([section, clause]) => `spec ${section} ${clause}`)).toEqual([])
  })

  test('a title that names none is not taken for one', () => {
    const title = 'PATCH > spec 2.6 call_retry_config.max_retry_attempts: 0 is refused'
    expect(names(title, '2.6', 'max_retry_attempts')).toBe(true)
    expect(names(title, '2.6', 'max_retry')).toBe(false)
    expect(names(title, '2.1', 'call_retry_config')).toBe(false)
    expect(names('spec 4.1 GET /assistants/{id} answers', '4.1', 'GET /assistants')).toBe(false)
    expect(names('spec 2.1 name: x', '2.10', 'name')).toBe(false)
    expect(names('spec 5.2 GET /x', '5', '2')).toBe(true)
  })
})
