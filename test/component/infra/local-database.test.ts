import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { beforeEach, describe, expect, it } from 'vitest'

import { startDatabase } from '#infra/local/database.ts'
import { Teardown } from '#infra/local/teardown.ts'
import { temporaryFolder } from '#test/support/local-stack.ts'
import { descendantsOf } from '#test/support/process-tree.ts'

/** Of SQLite, unless it is told otherwise. */
const PAGE_BYTES = 4_096

let folder: ReturnType<typeof temporaryFolder>
let teardown: Teardown
beforeEach(() => {
  folder = temporaryFolder()
  teardown = new Teardown()
  return async () => {
    await teardown.run()
    folder.remove()
  }
})

/** A program in Java's place. */
function inPlaceOfJava(...lines: string[]): string {
  const file = path.join(folder.path, 'java')
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(file, 0o755)
  return file
}

function databaseFile(): string {
  const file = path.join(folder.path, 'dynamodb', 'shared-local-instance.db')
  mkdirSync(path.dirname(file), { recursive: true })
  return file
}

/** A database of many pages, as SQLite writes it. */
function sqliteFile(): string {
  const file = databaseFile()
  const database = new DatabaseSync(file)
  database.exec(`
    CREATE TABLE t (x TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO t SELECT hex(randomblob(100)) FROM n`)
  database.close()
  return file
}

describe('a database that does not come up', () => {
  it('says with what words it ended', async () => {
    const java = inPlaceOfJava('echo first >&2', 'echo "There is no memory left" >&2', 'exit 3')
    await expect(startDatabase(folder.path, teardown, { java })).rejects.toThrow(
      'DynamoDB Local ended with code 3: There is no memory left',
    )
  })

  it('is slow, not damaged, and ends at the end', async () => {
    sqliteFile()
    const java = inPlaceOfJava('sleep 600')
    const starting = startDatabase(folder.path, teardown, { java, patienceMs: 500 })
    await expect(starting).rejects.toThrow(
      'DynamoDB Local has not answered for 0.5 s; this machine may be too busy to run it.',
    )
    expect(descendantsOf(process.pid).map(({ command }) => command)).toContain('sleep 600 ')
    await teardown.run()
    expect(descendantsOf(process.pid).map(({ command }) => command)).not.toContain('sleep 600 ')
  })
})

describe('the file of a database', () => {
  it.each([
    ['is none', () => writeFileSync(databaseFile(), 'This is no database. '.repeat(200))],
    [
      'has a hole',
      () => {
        const file = openSync(sqliteFile(), 'r+')
        writeSync(file, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, 5 * PAGE_BYTES)
        closeSync(file)
      },
    ],
  ])('that %s is called damaged', async (_, damage) => {
    damage()
    await expect(startDatabase(folder.path, teardown)).rejects.toThrow(
      `The data folder ${folder.path} is damaged (dynamodb cannot be read); delete it or choose another with --data.`,
    )
  })

  it('whose place is taken is called unwritable', async () => {
    writeFileSync(path.join(folder.path, 'dynamodb'), '')
    await expect(startDatabase(folder.path, teardown)).rejects.toThrow(
      `The data folder ${folder.path} cannot be written; choose another with --data.`,
    )
  })

  it('that another program uses is left to it', async () => {
    const other = new DatabaseSync(sqliteFile())
    other.exec('BEGIN EXCLUSIVE')
    await expect(startDatabase(folder.path, teardown)).rejects.toThrow(/is in use by another/)
    other.close()
  })
})
