import { expect, test } from 'vitest'

import { permitClaims } from '#shared/domain/permit-scope.ts'
import { anOrder } from '#test/support/an-order.ts'

const CAPS = { organization: 10, trunk: { id: 't', cap: 50 }, campaign: 5 }

test('an order takes the most particular permits first', () => {
  const order = anOrder({
    organizationId: 'org_1',
    toPhoneNumber: '+12025550100',
    concurrency: { key: 'shop', max: 2 },
    campaign: { campaignId: 'camp_1', rowId: 'row_1', rowIndex: 0 },
  })
  expect(permitClaims(order, CAPS)).toEqual([
    { scope: 'TO#org_1#+12025550100', cap: 1, blocks: 'order' },
    { scope: 'KEY#org_1#shop', cap: 2, blocks: 'order' },
    { scope: 'CMP#camp_1', cap: 5, blocks: 'scope' },
    { scope: 'ORG#org_1', cap: 10, blocks: 'scope' },
    { scope: 'TRUNK#t', cap: 50, blocks: 'scope' },
  ])
})

test('what an order does not have needs no permit', () => {
  const order = anOrder({ organizationId: 'org_1', concurrency: null, campaign: null })
  expect(permitClaims(order, CAPS).map(({ scope }) => scope.split('#')[0])).toEqual([
    'TO',
    'ORG',
    'TRUNK',
  ])
})
