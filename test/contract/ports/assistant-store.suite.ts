import { beforeEach, expect, test } from 'vitest'

import type { Assistant } from '#shared/domain/assistant.ts'
import type { AssistantStore } from '#shared/ports/assistant-store.ts'

import { incompressible, next, NOON, sampleAssistant } from './sample-records.ts'

export function assistantStoreSuite(open: () => Promise<AssistantStore>): void {
  let assistants: AssistantStore
  beforeEach(async () => {
    assistants = await open()
  })

  const create = async (assistant: Assistant) =>
    expect(await assistants.save({ before: null, after: assistant })).toEqual({ kind: 'saved' })

  test.each([
    ['a short prompt', sampleAssistant()],
    ['a long prompt', sampleAssistant({ prompt: incompressible(200_000) })],
  ])('an assistant with %s is read as it was stored', async (_, assistant) => {
    await create(assistant)
    expect(await assistants.find('org_1', 'asst_1')).toEqual(assistant)
    expect(await assistants.findVersion('asst_1', 1)).toEqual(assistant)
  })

  test('another organization finds and lists nothing', async () => {
    await create(sampleAssistant())
    expect(await assistants.find('org_2', 'asst_1')).toBeNull()
    expect(await assistants.find('org_1', 'asst_2')).toBeNull()
    expect(await assistants.list('org_2', { limit: 10, cursor: null })).toEqual({
      assistants: [],
      nextCursor: null,
    })
  })

  test('every version stays as it was', async () => {
    const first = sampleAssistant()
    const second = next(first, { prompt: 'Be brief.' })
    await create(first)
    expect(await assistants.save({ before: first, after: second })).toEqual({ kind: 'saved' })
    expect(await assistants.find('org_1', 'asst_1')).toEqual(second)
    expect(await assistants.findVersion('asst_1', 1)).toEqual(first)
    expect(await assistants.findVersion('asst_1', 2)).toEqual(second)
    expect(await assistants.findVersion('asst_1', 3)).toBeNull()
  })

  test('the slower of two editors stores neither the assistant nor a version', async () => {
    const first = sampleAssistant()
    const second = next(first, { prompt: 'faster' })
    await create(first)
    await assistants.save({ before: first, after: second })
    const slower = next(first, { prompt: 'slower' })
    expect(await assistants.save({ before: first, after: slower })).toEqual({ kind: 'conflict' })
    expect(await assistants.save({ before: null, after: first })).toEqual({ kind: 'conflict' })
    expect(await assistants.find('org_1', 'asst_1')).toEqual(second)
    expect(await assistants.findVersion('asst_1', 1)).toEqual(first)
    expect(await assistants.findVersion('asst_1', 2)).toEqual(second)
  })

  test('a deleted one is hidden, its versions are not', async () => {
    const first = sampleAssistant()
    const deleted = next(first, { deletedAt: NOON })
    await create(first)
    await assistants.save({ before: first, after: deleted })
    expect(await assistants.find('org_1', 'asst_1')).toBeNull()
    expect((await assistants.list('org_1', { limit: 10, cursor: null })).assistants).toEqual([])
    expect(await assistants.findVersion('asst_1', 1)).toEqual(first)
    expect(await assistants.findVersion('asst_1', 2)).toEqual(deleted)
  })

  test('pages show every undeleted one once, newest first', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `asst_${index}`)
    for (const id of ids) await create(sampleAssistant({ id }))
    await create(sampleAssistant({ id: 'asst_9', organizationId: 'org_2' }))
    for (const id of ['asst_6', 'asst_3']) {
      const before = sampleAssistant({ id })
      await assistants.save({ before, after: next(before, { deletedAt: NOON }) })
    }
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const page = await assistants.list('org_1', { limit: 2, cursor })
      pages.push(page.assistants.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(pages).toEqual([['asst_5', 'asst_4'], ['asst_2', 'asst_1'], ['asst_0']])
    const whole = await assistants.list('org_1', { limit: 5, cursor: null })
    expect([whole.assistants.length, whole.nextCursor]).toEqual([5, null])
  })

  test.each(['asst_~', '~', '', 'ORG#org_2'])(
    'the made-up cursor %j shows nothing of others',
    async (cursor) => {
      await create(sampleAssistant())
      await create(sampleAssistant({ organizationId: 'org_2' }))
      const page = await assistants.list('org_1', { limit: 10, cursor })
      expect(page.assistants.every(({ organizationId }) => organizationId === 'org_1')).toBe(true)
    },
  )
}
