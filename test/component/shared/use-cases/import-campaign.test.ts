import { afterAll, beforeAll, expect, test } from 'vitest'

import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import { NO_ROWS } from '#shared/domain/campaign/row-stats.ts'
import { LAST_MOMENT } from '#shared/domain/time.ts'
import { cancelCampaign } from '#shared/use-cases/change-campaign.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { campaignStage, hash, recount } from '#test/support/campaign-stage.ts'
import { startDynamoDb, type LocalDynamoDb } from '#test/support/dynamodb.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const CONTACTS = 2_500
const NOW = Date.parse('2026-11-18T15:00:00Z')

let database: LocalDynamoDb
beforeAll(async () => {
  database = await startDynamoDb()
})
afterAll(() => database.stop())

test('2,500 contacts imported twice at once are 2,500 rows; a cancel stops their dispatch', async () => {
  const { ports: inMemory } = useCasePorts(NOW)
  const secretBox = localSecretBox({ secret: () => 'secret' })
  const ports = { ...inMemory, ...dynamoStores(await database.newTable(), secretBox) }
  const stage = await campaignStage(ports)
  const { id, contacts: atStart } = await stage.create(CONTACTS)
  const file = await ports.contactUploads.read(atStart.key, { offset: 0, length: 1_000_000 })
  const step = () => workOnCampaign(ports, { campaignId: id, hash })

  // The first message is delivered twice, side by side; then everything is done all over again.
  await Promise.all([step(), step()])
  await stage.work(id)
  const orders = await stage.orders(id, CONTACTS)
  await ports.contactUploads.put(atStart.key, file ?? new Uint8Array())
  const campaign = await stage.campaign(id)
  const version = campaign.version + 1
  const rewound = { ...campaign, version, contacts: atStart, isImported: false }
  expect(await ports.campaigns.save({ before: campaign, after: rewound })).toEqual({
    kind: 'saved',
  })
  await stage.work(id)

  expect(orders.map((order) => order.campaign?.rowIndex)).toEqual(
    Array.from({ length: CONTACTS }, (_, index) => index),
  )
  expect(await stage.orders(id, CONTACTS)).toEqual(orders)
  const stats = { ...NO_ROWS, pending: CONTACTS, total: CONTACTS }
  expect(recount(orders)).toEqual(stats)
  expect(await ports.calls.rowStats(id)).toEqual(stats)
  const scope = `CMP#${id}`
  expect(await ports.calls.listDue(scope, LAST_MOMENT, CONTACTS + 1)).toHaveLength(CONTACTS)

  expect((await dispatchScope(ports, scope)).admitted).toBeGreaterThan(0)
  await cancelCampaign(ports, { organizationId: 'org_1', campaignId: id })
  expect(await dispatchScope(ports, scope)).toEqual({ admitted: 0 })
  expect(await ports.calls.rowStats(id)).toEqual(recount(await stage.orders(id, CONTACTS)))
}, 240_000)
