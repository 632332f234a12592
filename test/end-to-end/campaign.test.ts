import { afterAll, beforeAll, expect, it } from 'vitest'

import { succeeded } from '#test/support/api-client.ts'
import type { CreateCampaignBody } from '#test/support/generated/parley-client.ts'
import { alwaysOpen, LocalStackProcess } from '#test/support/local-stack.ts'
import { until } from '#test/support/until.ts'

const HOUR_SECS = 3_600

let stack: LocalStackProcess
beforeAll(async () => {
  stack = await LocalStackProcess.start()
})
afterAll(() => stack?.stop())

const campaignOf = async (id: string) =>
  (await succeeded(stack.api.getCampaign({ path: { id } }))).campaign

async function upload(text: string): Promise<string> {
  const { id, url, headers } = (await succeeded(stack.api.createCampaignUpload())).upload
  const answer = await fetch(url, { method: 'PUT', headers, body: text })
  expect(answer.status).toBe(200)
  return id
}

async function launch(fields: Partial<CreateCampaignBody>): Promise<string> {
  const settings = { name: 'Ava', prompt: 'You are Ava of Northwind Dental. Offer a check-up.' }
  const { assistant } = await succeeded(stack.api.createAssistant({ body: settings }))
  const body = {
    assistant_id: assistant.id,
    name: 'Spring',
    call_retry_config: alwaysOpen(2, 600),
    ...fields,
  }
  return (await succeeded(stack.api.createCampaign({ body }))).campaign.id
}

it('an uploaded campaign is imported, called when its time comes, retried, and completed', async () => {
  const lines = ['to_phone_number,first_name', '+12025550110,Bo', '+12025550101,Al', 'nobody,Cy']
  const id = await launch({
    contacts_upload_id: await upload(lines.join('\r\n')),
    max_concurrent_calls: 1,
    scheduled_at: new Date((await stack.now()) + 2 * HOUR_SECS * 1_000).toISOString(),
  })
  const imported = await until('the rows are there', async () => {
    const campaign = await campaignOf(id)
    return campaign.row_stats?.total === 3 ? campaign : null
  })
  expect(imported).toMatchObject({ status: 'draft', row_stats: { pending: 2, failed: 1 } })
  await stack.advance(HOUR_SECS)
  expect(await stack.dials()).toEqual([])

  await stack.advance(2 * HOUR_SECS)
  const done = await until('the campaign is over', async () => {
    const campaign = await campaignOf(id)
    return campaign.status === 'completed' ? campaign : null
  })
  expect(done.row_stats).toEqual({
    calling: 0,
    completed: 2,
    failed: 1,
    pending: 0,
    retry: 0,
    total: 3,
  })
  const { rows } = await succeeded(
    stack.api.listCampaignRows({ path: { id }, query: { page: 1, page_size: 10 } }),
  )
  expect(rows).toMatchObject([
    { input_data: { first_name: 'Bo' }, call: { status: 'completed', calls_count: 1 } },
    { input_data: { first_name: 'Al' }, call: { status: 'completed', calls_count: 2 } },
    { input_data: { first_name: 'Cy' }, call: { status: 'errored', calls_count: 0 } },
  ])
  expect(rows[0]?.call).toMatchObject({
    campaign: { id, name: 'Spring' },
    last_call_attempt: { result: 'human' },
    visual_number: expect.any(Number),
  })
  expect((await stack.dials()).map(({ to }) => to).toSorted()).toEqual([
    '+12025550101',
    '+12025550101',
    '+12025550110',
  ])
})

it('a campaign that is cancelled is not dialled any further', async () => {
  const before = (await stack.dials()).length
  const contacts = Array.from({ length: 20 }, (_, index) => ({
    to_phone_number: `+1202555${1_200 + index}`,
    prompt_variables: {},
  }))
  const id = await launch({ contacts, max_concurrent_calls: 1 })
  await until('the first is dialled', async () =>
    (await stack.dials()).length > before ? true : null,
  )
  const cancelled = await succeeded(stack.api.cancelCampaign({ path: { id } }))
  expect(cancelled).toEqual({ success: true })
  const dialled = (await stack.dials()).length
  await stack.advance(24 * HOUR_SECS)
  expect((await stack.dials()).length).toBeLessThanOrEqual(dialled + 1)
  expect(await campaignOf(id)).toMatchObject({ status: 'completed', is_cancelled: true })
  const query = { page: 1, page_size: 20, statuses: 'scheduled,queued_for_calling,paused' }
  await until('every row is over', async () => {
    const { rows } = await succeeded(stack.api.listCampaignRows({ path: { id }, query }))
    return rows.length === 0 ? true : null
  })
})
