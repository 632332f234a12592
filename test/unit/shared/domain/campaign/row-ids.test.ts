import { createHash } from 'node:crypto'

import { expect, it } from 'vitest'

import { rowIds } from '#shared/domain/campaign/row-ids.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

it('follow from campaign and place alone, and look like other ids', () => {
  const { orderId, rowId } = rowIds(sha256, 'camp_1', 0)
  expect(rowIds(sha256, 'camp_1', 0)).toEqual({ orderId, rowId })
  expect(orderId).toMatch(/^call_[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(rowId).toBe(orderId.replace('call_', 'row_'))
})

it('are the first 130 bits of the hash in base 32', () => {
  const bytes = Uint8Array.from([0b0000_1000, 0b1000_0110, 0b0100_0000])
  expect(rowIds(() => bytes, 'c', 0).orderId).toBe(`call_1234${'0'.repeat(22)}`)
})

it('differ for 20,000 rows of two campaigns', () => {
  const ids = ['camp_1', 'camp_11'].flatMap((campaign) =>
    Array.from({ length: 10_000 }, (_, index) => rowIds(sha256, campaign, index).orderId),
  )
  expect(new Set(ids).size).toBe(20_000)
})
