import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { campaignUploadSchema, type CampaignRowWire } from '#shared/contract/campaign.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { hash } from '#test/support/campaign-stage.ts'
import { parseCsv } from '#test/support/parse-csv.ts'

let api: Api
let assistantId: string
beforeAll(async () => {
  api = await startApi()
  const json = { name: 'A', prompt: 'P' }
  assistantId = (await api.request('POST', '/v1/assistants', { json })).body.assistant.id
})
afterAll(() => api.stop())

/** Offers an upload and plays the bucket: stores what is put at its URL. */
async function upload(text: string): Promise<string> {
  const answer = await api.request('POST', '/v1/campaigns/uploads')
  expect(answer.status).toBe(200)
  const offered = campaignUploadSchema.parse(answer.body.upload)
  expect(offered).toMatchObject({
    id: expect.stringMatching(/^upl_[0-9A-Z]{26}$/),
    method: 'PUT',
    headers: { 'if-none-match': '*' },
    expires_at: '2026-01-14T13:00:00.000Z',
  })
  const key = new URL(offered.url).pathname.slice(1)
  await api.ports.contactUploads.put(key, new TextEncoder().encode(text))
  return offered.id
}

const create = (contactsUploadId: string, key = KEYS.test) =>
  api.request('POST', '/v1/campaigns', {
    json: { assistant_id: assistantId, name: 'Spring', contacts_upload_id: contactsUploadId },
    key,
  })

async function rowsOf(uploadId: string): Promise<CampaignRowWire[]> {
  const { id } = (await create(uploadId)).body.campaign
  await workOnCampaign(api.ports, { campaignId: id, hash })
  const { campaign } = (await api.request('GET', `/v1/campaigns/${id}`)).body
  const { rows } = (await api.request('GET', `/v1/campaigns/${id}/rows?page=1&page_size=9`)).body
  expect(campaign.row_stats.total).toBe(rows.length)
  return rows
}

test('spec 4.2 POST /campaigns/uploads: a CSV file becomes rows', async () => {
  const text = 'first_name,to_phone_number\r\n"Bo, the first",+12025550100\r\nAl,nobody\r\nAl\r\n'
  const rows = await rowsOf(await upload(text))
  expect(rows).toMatchObject([
    { input_data: { first_name: 'Bo, the first' }, phone_number: '+12025550100', row_index: 0 },
    { input_data: { first_name: 'Al' }, error: 'The phone number is not in E.164 form.' },
    { input_data: {}, error: 'The line has 1 fields, the first one 2.', row_index: 2 },
  ])
  expect(rows[0]).not.toHaveProperty('error')
})

test('spec 4.2 POST /campaigns/uploads: an NDJSON file becomes rows', async () => {
  const lines = [
    '{"to_phone_number":"+12025550100","prompt_variables":{"first_name":"Bo"}}',
    '{"to_phone_number":',
    '{"to_phone_number":"+12025550101"}',
  ]
  expect(await rowsOf(await upload(lines.join('\n')))).toMatchObject([
    { input_data: { first_name: 'Bo' }, call: { status: 'scheduled' } },
    { error: 'The line is not a JSON object.', call: { status: 'errored' } },
    { phone_number: '+12025550101', call: { status: 'scheduled' } },
  ])
})

test.each<[string, string, string]>([
  ['no contacts', ' \n', 'unreadable_upload'],
  ['something else', '<html></html>', 'unreadable_upload'],
  ['no column of numbers', 'phone,name\n+12025550100,Bo\n', 'unreadable_upload'],
  ['a header alone', 'to_phone_number\n', 'no_valid_contact'],
  ['no valid number', 'to_phone_number\n123\n', 'no_valid_contact'],
])('spec 4.2 an upload with %s is refused', async (_, text, code) => {
  const answer = await create(await upload(text))
  expect(fieldErrorsOf(answer)).toEqual([['/contacts_upload_id', code]])
})

test('spec 5.2 an upload of another organization is none', async () => {
  const id = await upload('to_phone_number\n+12025550100\n')
  const json = { name: 'B', prompt: 'P' }
  const options = { json, key: KEYS.other }
  const foreign = (await api.request('POST', '/v1/assistants', options)).body.assistant.id
  const answer = await api.request('POST', '/v1/campaigns', {
    json: { assistant_id: foreign, name: 'x', contacts_upload_id: id },
    key: KEYS.other,
  })
  expect(fieldErrorsOf(answer)).toEqual([['/contacts_upload_id', 'upload_not_found']])
})

describe('GET /campaigns/{id}/contact-errors', () => {
  /** The whole report, and in how many parts it came. */
  async function report(campaignId: string) {
    const parts: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const path = `/v1/campaigns/${campaignId}/contact-errors${next && `?offset=${next}`}`
      const { status, body } = await api.request('GET', path)
      expect(status).toBe(200)
      expect(body.filename).toBe(`contact_errors_${campaignId}.csv`)
      parts.push(body.csv)
      next = body.next_offset
    }
    return { parts: parts.length, rows: parseCsv(parts.join('')) }
  }

  const HEADER = ['line', 'row_index', 'to_phone_number', 'error']
  const NO_NUMBER = 'The phone number is not in E.164 form.'

  test('names the line of each contact that cannot be called, before and after the import', async () => {
    const text = [
      '"first_name",to_phone_number,"of two',
      'lines"',
      '"Bo',
      'the first",+12025550100,x',
      '',
      'Al,nobody,x',
      'Al',
      '"Cy',
      '',
      'Lee",=1+1,x',
      'Di,+12025550101,x',
      'Ed,,x',
    ].join('\r\n')
    const { id } = (await create(await upload(text))).body.campaign
    const expected = [
      HEADER,
      ['6', '1', 'nobody', NO_NUMBER],
      ['7', '2', '', 'The line has 1 fields, the first one 3.'],
      ['8', '3', "'=1+1", NO_NUMBER],
      ['12', '5', '', NO_NUMBER],
    ]
    expect((await report(id)).rows).toEqual(expected)
    await workOnCampaign(api.ports, { campaignId: id, hash })
    expect((await report(id)).rows).toEqual(expected)
    const { rows } = (await api.request('GET', `/v1/campaigns/${id}/rows?page=1&page_size=9`)).body
    const bad = (rows as CampaignRowWire[]).filter(({ error }) => error !== undefined)
    expect(bad.map((row) => [String(row.row_index), row.error])).toEqual(
      expected.slice(1).map(([, index, , error]) => [index, error]),
    )
  })

  test('comes in parts when it is long', async () => {
    const long = 'x'.repeat(300)
    const count = 12_000
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        to_phone_number: index === 7_000 ? '+12025550100' : `no ${index}`,
        prompt_variables: { long },
      }),
    )
    const { id } = (await create(await upload(lines.join('\n')))).body.campaign
    const { parts, rows } = await report(id)
    expect(parts).toBe(3)
    expect(rows).toEqual([
      HEADER,
      ...lines.flatMap((_, index) =>
        index === 7_000 ? [] : [[String(index + 1), String(index), `no ${index}`, NO_NUMBER]],
      ),
    ])
  })

  test('is empty but for its header when every contact can be called', async () => {
    const { id } = (await create(await upload('to_phone_number\n+12025550100\n'))).body.campaign
    expect(await report(id)).toEqual({ parts: 1, rows: [HEADER] })
  })

  test('is not there without a campaign, or when the file is gone', async () => {
    const path = (id: string) => `/v1/campaigns/${id}/contact-errors`
    const unknown = await api.request('GET', path('camp_none'))
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
    const contacts = [{ to_phone_number: '+12025550100' }]
    const json = { assistant_id: assistantId, name: 'Spring', contacts }
    const { id } = (await api.request('POST', '/v1/campaigns', { json })).body.campaign
    expect((await api.request('GET', path(id))).status).toBe(200)
    await workOnCampaign(api.ports, { campaignId: id, hash })
    const gone = await api.request('GET', path(id))
    expect([gone.status, gone.body.code]).toEqual([404, 'not_found'])
  })

  test.each(['x', '1-2', '1-2-3-4', '-1-2-3'])(
    'refuses an offset of nobody’s: %s',
    async (offset) => {
      const { id } = (await create(await upload('to_phone_number\n+12025550100\n'))).body.campaign
      const answer = await api.request('GET', `/v1/campaigns/${id}/contact-errors?offset=${offset}`)
      expect(fieldErrorsOf(answer)).toEqual([['/offset', 'invalid_cursor']])
    },
  )
})
