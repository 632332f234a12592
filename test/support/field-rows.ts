import { expect, test } from 'vitest'

import { problemSchema } from '#shared/contract/problem.ts'

import type { JsonApi } from './api-server.ts'

/** One row of a table of the specification: a field that a request sets and its answer shows. */
export interface FieldRow {
  readonly field: string
  /** Every value of an enum, both ends of a range, null where it may be null. */
  readonly takes: readonly unknown[]
  /** One step beyond; `at` is where in the value, as a JSON Pointer. */
  readonly refuses: readonly (readonly [value: unknown, at?: string])[]
}

export interface FieldPlace {
  readonly section: string
  readonly api: JsonApi
  /** The assistant that has this value in the field, with what else the field needs. */
  readonly body: (field: string, value: unknown) => object
  /** The same place in an answered assistant. */
  readonly read: (assistant: never, field: string) => unknown
  readonly pointer: (field: string) => string
}

/** Two cases for each row: what is taken comes back as it was sent, what is not is named. */
export function fieldTests(rows: readonly FieldRow[], place: FieldPlace): void {
  const create = (field: string, value: unknown) =>
    place.api('POST', '/assistants', { name: 'A', prompt: 'P', ...place.body(field, value) })

  test.each(rows)(`spec ${place.section} $field: comes back as it was sent`, async (row) => {
    for (const value of row.takes) {
      const { status, body } = await create(row.field, value)
      expect([value, status, body.errors]).toEqual([value, 200, undefined])
      expect(place.read(body.assistant as never, row.field)).toEqual(value)
      const read = await place.api('GET', `/assistants/${body.assistant.id}`)
      expect(read.body).toEqual(body.assistant)
    }
  })

  test.each(rows)(`spec ${place.section} $field: what it is not is refused`, async (row) => {
    for (const [value, at = ''] of row.refuses) {
      const { status, body } = await create(row.field, value)
      const pointers = problemSchema.parse(body).errors?.map(({ pointer }) => pointer)
      expect([value, status, pointers]).toEqual([value, 422, [place.pointer(row.field) + at]])
    }
  })
}
