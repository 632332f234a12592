import { expect } from 'vitest'

import type { CallStore } from '#shared/ports/call-store.ts'

/** Saves what is to be saved without anything in the way. */
export async function expectSaved(
  calls: CallStore,
  write: Partial<Parameters<CallStore['save']>[0]>,
): Promise<void> {
  expect(await calls.save({ effects: [], ...write })).toEqual({ kind: 'saved' })
}
