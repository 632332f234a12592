import { beforeEach, expect, test } from 'vitest'

import type { OwnedRecord, RecordStore } from '#shared/ports/record-store.ts'

import { AWKWARD_TEXTS, next } from './sample-records.ts'

/** `sample` makes a record of the store's kind. */
export function recordStoreSuite<T extends OwnedRecord>(
  open: () => Promise<RecordStore<T>>,
  sample: (identity: OwnedRecord, texts: Readonly<Record<string, string>>) => T,
): void {
  let records: RecordStore<T>
  beforeEach(async () => {
    records = await open()
  })
  const record = (id: string, organizationId = 'org_1') =>
    sample({ id, organizationId, version: 1 }, AWKWARD_TEXTS)
  const create = async (after: T) =>
    expect(await records.save({ before: null, after })).toEqual({ kind: 'saved' })

  test('a record is read as it was stored, by its organization only', async () => {
    await create(record('r_1'))
    expect(await records.find('org_1', 'r_1')).toEqual(record('r_1'))
    expect(await records.find('org_2', 'r_1')).toBeNull()
    expect(await records.find('org_1', 'r_2')).toBeNull()
    expect(await records.list('org_2', { limit: 9, cursor: null })).toEqual({
      records: [],
      nextCursor: null,
    })
  })

  test('the same id in two organizations is two records', async () => {
    await create(record('r_1'))
    await create(record('r_1', 'org_2'))
    expect(await records.remove('org_1', 'r_1')).toBe(true)
    expect(await records.find('org_2', 'r_1')).toEqual(record('r_1', 'org_2'))
  })

  test('of two changes of the same version one is stored', async () => {
    const before = record('r_1')
    await create(before)
    expect(await records.save({ before: null, after: before })).toEqual({ kind: 'conflict' })
    const changes = [1, 2, 3].map(() => ({ before, after: next<T>(before, {}) }))
    const results = await Promise.all(changes.map((change) => records.save(change)))
    expect(results.filter(({ kind }) => kind === 'saved')).toHaveLength(1)
    expect((await records.find('org_1', 'r_1'))?.version).toBe(2)
  })

  test('what is removed is gone, and was removed once', async () => {
    await create(record('r_1'))
    expect(await records.remove('org_2', 'r_1')).toBe(false)
    expect(await records.remove('org_1', 'r_1')).toBe(true)
    expect(await records.remove('org_1', 'r_1')).toBe(false)
    expect(await records.find('org_1', 'r_1')).toBeNull()
    const late = { before: record('r_1'), after: next<T>(record('r_1'), {}) }
    expect(await records.save(late)).toEqual({ kind: 'conflict' })
  })

  test('pages show every one once, in descending order', async () => {
    for (const id of ['r_2', 'r_4', 'r_1', 'r_3', 'r_5']) await create(record(id))
    await create(record('r_9', 'org_2'))
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const page = await records.list('org_1', { limit: 2, cursor })
      pages.push(page.records.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(pages).toEqual([['r_5', 'r_4'], ['r_3', 'r_2'], ['r_1']])
  })

  test.each(['~', '', 'ORG#org_2', '\u0000'])(
    'the made-up cursor %j shows nothing of others',
    async (cursor) => {
      await create(record('r_1'))
      await create(record('r_2', 'org_2'))
      const page = await records.list('org_1', { limit: 10, cursor })
      expect(page.records.every(({ organizationId }) => organizationId === 'org_1')).toBe(true)
    },
  )
}
