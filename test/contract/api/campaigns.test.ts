import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { campaignSchema } from '#shared/contract/campaign.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { hash } from '#test/support/campaign-stage.ts'

let api: Api
let assistantId: string
beforeAll(async () => {
  api = await startApi()
  const json = { name: 'A', prompt: 'P' }
  assistantId = (await api.request('POST', '/v1/assistants', { json })).body.assistant.id
})
afterAll(() => api.stop())

const CONTACTS = [
  { to_phone_number: '+12025550100', prompt_variables: { first_name: 'Bo' } },
  { to_phone_number: '+12025550101', prompt_variables: {} },
]
const create = (fields: object = {}, key = KEYS.test) =>
  api.request('POST', '/v1/campaigns', {
    json: { assistant_id: assistantId, name: 'Spring', contacts: CONTACTS, ...fields },
    key,
  })
const created = async (fields: object = {}): Promise<string> =>
  (await create(fields)).body.campaign.id
const get = (id: string, key = KEYS.test) => api.request('GET', `/v1/campaigns/${id}`, { key })
const act = (id: string, action: string, key = KEYS.test) =>
  api.request('POST', `/v1/campaigns/${id}/${action}`, { key })
const work = (campaignId: string) => workOnCampaign(api.ports, { campaignId, hash })

describe('spec 4.2 POST /campaigns', () => {
  test('spec 2.7 answers the campaign with everything that was said', async () => {
    const retry = {
      allowed_days: ['monday'],
      call_twice_in_a_row: true,
      calling_windows: [
        {
          calling_window_start_time: '9am',
          calling_window_end_time: '17:00',
          retry_delay_seconds: 5,
        },
      ],
      max_retry_attempts: 2,
      timezone: 'Europe/Paris',
    }
    const answer = await create({
      call_retry_config: retry,
      from_phone_number: '+12025550150',
      max_concurrent_calls: 10,
      scheduled_at: '2026-02-01T12:00:00+02:00',
    })
    expect(answer.status).toBe(200)
    const { campaign } = answer.body
    expect(campaignSchema.parse(campaign)).toEqual(campaign)
    expect(campaign).toEqual({
      id: expect.stringMatching(/^camp_[0-9A-Z]{26}$/),
      assistant_id: assistantId,
      name: 'Spring',
      organization_id: 'org_1',
      status: 'draft',
      is_cancelled: false,
      created_at: '2026-01-14T12:00:00.000Z',
      updated_at: '2026-01-14T12:00:00.000Z',
      assistant: expect.objectContaining({ id: assistantId, prompt: 'P' }),
      call_retry_config: retry,
      from_phone_number: '+12025550150',
      max_concurrent_calls: 10,
      scheduled_at: '2026-02-01T10:00:00.000Z',
      row_stats: { calling: 0, completed: 0, failed: 0, pending: 2, retry: 0, total: 2 },
    })
    expect((await get(campaign.id)).body).toEqual({ campaign })
  })

  test('spec 2.7 leaves out what was not said', async () => {
    const { campaign } = (await create({ scheduled_at: null })).body
    const names = ['call_retry_config', 'from_phone_number', 'max_concurrent_calls', 'scheduled_at']
    for (const name of names) expect(campaign).not.toHaveProperty(name)
  })

  test('spec 3.3 without scheduled_at it is launched as soon as it has rows', async () => {
    const id = await created()
    await work(id)
    expect((await get(id)).body.campaign.status).toBe('running')
  })

  test.each<[string, object, [string, string]]>([
    ['assistant_id', { assistant_id: undefined }, ['/assistant_id', 'required']],
    ['assistant_id', { assistant_id: 'asst_none' }, ['/assistant_id', 'assistant_not_found']],
    ['name', { name: undefined }, ['/name', 'required']],
    ['contacts', { contacts: undefined }, ['/contacts', 'required']],
    ['contacts', { contacts: {} }, ['/contacts', 'invalid_type']],
    ['contacts', { contacts: [] }, ['/contacts', 'no_valid_contact']],
    [
      'contacts',
      { contacts: [{ to_phone_number: '0123', prompt_variables: {} }] },
      ['/contacts', 'no_valid_contact'],
    ],
    [
      'contacts[].to_phone_number',
      { contacts: [{ prompt_variables: {} }] },
      ['/contacts/0/to_phone_number', 'required'],
    ],
    [
      'contacts[].prompt_variables',
      { contacts: [{ to_phone_number: '+12025550100', prompt_variables: { a: 1 } }] },
      ['/contacts/0/prompt_variables/a', 'invalid_type'],
    ],
    [
      'contacts[] with an unknown field',
      { contacts: [{ ...CONTACTS[0], phone_number: '' }] },
      ['/contacts/0/phone_number', 'unknown_field'],
    ],
    [
      'call_retry_config',
      { call_retry_config: { max_retry_attempts: 0 } },
      ['/call_retry_config/max_retry_attempts', 'too_small'],
    ],
    [
      'from_phone_number',
      { from_phone_number: '123' },
      ['/from_phone_number', 'invalid_phone_number'],
    ],
    ['max_concurrent_calls', { max_concurrent_calls: 0 }, ['/max_concurrent_calls', 'too_small']],
    [
      'max_concurrent_calls',
      { max_concurrent_calls: 11 },
      ['/max_concurrent_calls', 'too_many_calls'],
    ],
    [
      'max_concurrent_calls',
      { max_concurrent_calls: 1.5 },
      ['/max_concurrent_calls', 'invalid_type'],
    ],
    ['scheduled_at', { scheduled_at: '2026-02-01' }, ['/scheduled_at', 'invalid_timestamp']],
    [
      'contacts_upload_id',
      { contacts: undefined, contacts_upload_id: 'upl_none' },
      ['/contacts_upload_id', 'upload_not_found'],
    ],
    [
      'contacts_upload_id beside contacts',
      { contacts_upload_id: 'upl_none' },
      ['/contacts_upload_id', 'contradicts_contacts'],
    ],
    ['an unknown field', { contact: [] }, ['/contact', 'unknown_field']],
  ])('spec 4.2 %s %j is refused', async (_, fields, error) => {
    const answer = await create(fields)
    expect(fieldErrorsOf(answer)).toEqual([error])
  })

  test("spec 5.2 another organization's assistant is none", async () => {
    expect(fieldErrorsOf(await create({}, KEYS.other))).toEqual([
      ['/assistant_id', 'assistant_not_found'],
    ])
  })

  test('spec 8 40,000 contacts are accepted, 40,001 have to be uploaded', async () => {
    const contacts = Array.from({ length: 40_001 }, (_, index) => ({
      to_phone_number: `+1202555${String(index).padStart(5, '0').slice(1)}`,
      prompt_variables: { n: String(index) },
    }))
    const accepted = await create({ contacts: contacts.slice(1) })
    expect(accepted.status).toBe(200)
    expect(accepted.body.campaign.row_stats.total).toBe(40_000)
    const answer = await create({ contacts })
    expect([answer.status, answer.body.code]).toEqual([413, 'use_upload'])
  })

  test('spec 8 a body that no function takes has to be uploaded', async () => {
    const answer = await create({ name: 'x'.repeat(6_000_001) })
    expect([answer.status, answer.body.code]).toEqual([413, 'use_upload'])
  })
})

describe('spec 4.2 GET /campaigns', () => {
  test('lists own ones, newest first, without the assistant, page by page', async () => {
    const { length: count } = (await api.request('GET', '/v1/campaigns')).body.campaigns
    const ids = [await created(), await created()]
    const all = (await api.request('GET', '/v1/campaigns')).body
    expect(all.campaigns).toHaveLength(count + 2)
    expect(all.next_cursor).toBeNull()
    expect(all.campaigns.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
    const { assistant: _, ...expected } = (await get(ids[1] ?? '')).body.campaign
    expect(all.campaigns[0]).toEqual(expected)
    const first = (await api.request('GET', '/v1/campaigns?limit=1')).body
    const second = await api.request('GET', `/v1/campaigns?limit=1&cursor=${first.next_cursor}`)
    expect(second.body.campaigns[0].id).toBe(ids[0])
    const foreign = await api.request('GET', '/v1/campaigns', { key: KEYS.other })
    expect(foreign.body).toEqual({ campaigns: [], next_cursor: null })
  })
})

describe('spec 4.2 GET /campaigns/{id}', () => {
  test('shows row_stats that sum to total', async () => {
    const contacts = [...CONTACTS, { to_phone_number: 'nobody', prompt_variables: {} }]
    const id = await created({ contacts, scheduled_at: '2027-01-01T00:00:00Z' })
    await work(id)
    expect((await get(id)).body.campaign).toMatchObject({
      status: 'draft',
      row_stats: { calling: 0, completed: 0, failed: 1, pending: 2, retry: 0, total: 3 },
    })
  })

  test('is a 404 for an unknown id and for another organization', async () => {
    const id = await created()
    expect((await get('camp_none')).status).toBe(404)
    expect((await get(id, KEYS.other)).status).toBe(404)
  })
})

describe('what changes a campaign', () => {
  test('spec 4.2 POST /campaigns/{id}/cancel keeps campaign and rows', async () => {
    const id = await created()
    await work(id)
    const answer = await act(id, 'cancel')
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect((await get(id)).body.campaign).toMatchObject({
      status: 'completed',
      is_cancelled: true,
      row_stats: { failed: 2, total: 2 },
    })
    await work(id)
    const { rows } = (await api.request('GET', `/v1/campaigns/${id}/rows?page=1&page_size=9`)).body
    expect(rows.map(({ call }: { call: { status: string } }) => call.status)).toEqual([
      'cancelled',
      'cancelled',
    ])
    expect([(await act(id, 'cancel')).status, (await act(id, 'cancel')).body.code]).toEqual([
      409,
      'state_conflict',
    ])
  })

  test('spec 3.3 pause and resume a running one', async () => {
    const id = await created()
    expect((await act(id, 'pause')).status).toBe(409)
    await work(id)
    for (const [action, status] of [
      ['pause', 'paused'],
      ['resume', 'running'],
    ] as const) {
      const answer = await act(id, action)
      expect([answer.status, answer.body]).toEqual([200, { success: true }])
      expect((await get(id)).body.campaign.status).toBe(status)
    }
    expect((await act(id, 'resume')).status).toBe(409)
  })

  test('spec 4.2 DELETE /campaigns/{id} removes it and its rows', async () => {
    const id = await created()
    await work(id)
    const rows = `/v1/campaigns/${id}/rows?page=1&page_size=9`
    const { call } = (await api.request('GET', rows)).body.rows[0]
    const answer = await api.request('DELETE', `/v1/campaigns/${id}`)
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect((await get(id)).status).toBe(404)
    expect((await api.request('GET', rows)).status).toBe(404)
    expect((await api.request('DELETE', `/v1/campaigns/${id}`)).status).toBe(404)
    const { campaigns } = (await api.request('GET', '/v1/campaigns')).body
    expect(campaigns.map((one: { id: string }) => one.id)).not.toContain(id)
    await work(id)
    expect((await api.request('GET', `/v1/call/${call.id}`)).status).toBe(404)
  })

  test.each(['cancel', 'pause', 'resume'])('spec 5.2 %s knows only own ones', async (action) => {
    const id = await created()
    await work(id)
    expect((await act('camp_none', action)).status).toBe(404)
    expect((await act(id, action, KEYS.other)).status).toBe(404)
    expect((await api.request('DELETE', `/v1/campaigns/${id}`, { key: KEYS.other })).status).toBe(
      404,
    )
    expect((await get(id)).body.campaign).toMatchObject({ status: 'running', is_cancelled: false })
  })
})
