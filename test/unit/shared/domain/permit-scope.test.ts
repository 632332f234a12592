import { expect, test } from 'vitest'

import { isOwnPermit, ownPermits, sharedPermits } from '#shared/domain/permit-scope.ts'
import { anOrder } from '#test/support/an-order.ts'

const ORGANIZATION = { id: 'org_1', cap: 10 }
const TRUNK = { id: 't', cap: 50 }

test('an order needs a permit for its recipient, and one for its concurrency key', () => {
  const order = anOrder({ organizationId: 'org_1', toPhoneNumber: '+12025550100' })
  const recipient = { scope: 'TO#org_1#+12025550100', cap: 1 }
  expect(ownPermits(order)).toEqual([recipient])
  expect(ownPermits({ ...order, concurrency: { key: 'shop', max: 2 } })).toEqual([
    recipient,
    { scope: 'KEY#org_1#shop', cap: 2 },
  ])
})

test('every order of a scope needs those of its campaign, organization and trunk', () => {
  const campaign = { id: 'camp_1', cap: 5 }
  const claims = sharedPermits({ organization: ORGANIZATION, trunk: TRUNK, campaign })
  expect(claims).toEqual([
    { scope: 'CMP#camp_1', cap: 5 },
    { scope: 'ORG#org_1', cap: 10 },
    { scope: 'TRUNK#t', cap: 50 },
  ])
  for (const none of [null, { id: 'camp_1', cap: null }]) {
    expect(sharedPermits({ organization: ORGANIZATION, trunk: TRUNK, campaign: none })).toEqual(
      claims.slice(1),
    )
  }
})

test('the two kinds are told apart by their names', () => {
  const order = anOrder({ concurrency: { key: 'TRUNK#x', max: 2 } })
  expect(ownPermits(order).map(({ scope }) => isOwnPermit(scope))).toEqual([true, true])
  const shared = sharedPermits({ organization: ORGANIZATION, trunk: TRUNK, campaign: null })
  expect(shared.map(({ scope }) => isOwnPermit(scope))).toEqual([false, false])
})
