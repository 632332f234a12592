import { afterAll, beforeAll, expect, test } from 'vitest'

import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { startApi } from '#test/support/api-server.ts'
import { hash } from '#test/support/campaign-stage.ts'

const server = await startApi()
afterAll(() => server.stop())
const { ports } = server
const api = server.json(KEYS.live)

const NOON_TEXT = '2026-01-14T12:00:00.000Z'
const RETRY = {
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
const CONTACTS = [
  { to_phone_number: '+12025550100', prompt_variables: { first_name: 'Bo', Custom_Key: 'x' } },
  { to_phone_number: '+12025550101', prompt_variables: {} },
]

/* oxlint-disable typescript/no-explicit-any -- as it came over the wire */
let assistant: any
let campaign: any
let rows: any[]
let number: any
let user: any
/* oxlint-enable typescript/no-explicit-any */

beforeAll(async () => {
  const created = await api('POST', '/assistants', { name: 'A', prompt: 'P' })
  assistant = created.body.assistant
  const wanted = {
    name: 'Spring',
    assistant_id: assistant.id,
    contacts: CONTACTS,
    call_retry_config: RETRY,
    from_phone_number: '+12025550150',
    max_concurrent_calls: 7,
    scheduled_at: '2026-02-01T12:00:00+02:00',
  }
  const { id } = (await api('POST', '/campaigns', wanted)).body.campaign
  await workOnCampaign(ports, { campaignId: id, hash })
  campaign = (await api('GET', `/campaigns/${id}`)).body.campaign
  rows = (await api('GET', `/campaigns/${id}/rows?page=1&page_size=10`)).body.rows
  const imported = await api('POST', '/phone-numbers', {
    phone_number: '+12025550151',
    label: 'Front desk',
    inbound_assistant_id: assistant.id,
    inbound_sip_uri: 'sip:desk@example.com',
    outbound_trunk_id: 'trunk-1',
  })
  number = imported.body.phone_number
  user = (await api('GET', '/users/me')).body.user
})

const ulid = (prefix: string) =>
  expect.stringMatching(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`))

const CAMPAIGN: readonly [field: string, shown: () => unknown][] = [
  ['id', () => ulid('camp')],
  ['assistant_id', () => assistant.id],
  ['name', () => 'Spring'],
  ['organization_id', () => 'org_1'],
  ['status', () => expect.stringMatching(/^(draft|running)$/)],
  ['is_cancelled', () => false],
  ['created_at', () => NOON_TEXT],
  ['updated_at', () => NOON_TEXT],
  ['assistant', () => assistant],
  ['call_retry_config', () => RETRY],
  ['from_phone_number', () => '+12025550150'],
  ['max_concurrent_calls', () => 7],
  ['scheduled_at', () => '2026-02-01T10:00:00.000Z'],
  ['row_stats', () => ({ calling: 0, completed: 0, failed: 0, pending: 2, retry: 0, total: 2 })],
]
test.each(CAMPAIGN)('spec 2.7 %s', (field, shown) => {
  expect(campaign[field]).toEqual(shown())
})

test('spec 2.7 is_cancelled and status: after a cancel', async () => {
  const wanted = { name: 'C', assistant_id: assistant.id, contacts: CONTACTS }
  const { id } = (await api('POST', '/campaigns', wanted)).body.campaign
  await workOnCampaign(ports, { campaignId: id, hash })
  expect((await api('GET', `/campaigns/${id}`)).body.campaign.status).toBe('running')
  await api('POST', `/campaigns/${id}/cancel`)
  expect((await api('GET', `/campaigns/${id}`)).body.campaign.is_cancelled).toBe(true)
})

const ROW: readonly [field: string, shown: () => readonly unknown[]][] = [
  ['id', () => [ulid('row'), ulid('row')]],
  ['input_data', () => [{ first_name: 'Bo', Custom_Key: 'x' }, {}]],
  ['phone_number', () => ['+12025550100', '+12025550101']],
  ['row_index', () => [0, 1]],
  [
    'call',
    () => [
      expect.objectContaining({
        to_phone_number: '+12025550100',
        campaign: { id: campaign.id, name: 'Spring' },
        call_retry_config: RETRY,
      }),
      expect.objectContaining({ to_phone_number: '+12025550101' }),
    ],
  ],
]
test.each(ROW)('spec 2.8 %s', (field, shown) => {
  expect(rows.map((row) => row[field])).toEqual(shown())
})

const NUMBER: readonly [field: string, shown: () => unknown][] = [
  ['id', () => ulid('num')],
  ['phone_number', () => '+12025550151'],
  ['label', () => 'Front desk'],
  ['type', () => 'owned_number'],
  ['source', () => 'user_imported'],
  ['provider', () => 'sip'],
  ['health_status', () => 'unknown'],
  ['health_checked_at', () => null],
  ['spam_score', () => null],
  ['inbound_assistant', () => assistant],
  ['inbound_sip_uri', () => 'sip:desk@example.com'],
  ['outbound_trunk_id', () => 'trunk-1'],
  [
    'created_by',
    () => ({
      id: 'user_1',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
    }),
  ],
  ['created_at', () => NOON_TEXT],
]
test.each(NUMBER)('spec 2.11 %s', (field, shown) => {
  expect(number[field]).toEqual(shown())
})

const USER: readonly [field: string, shown: unknown][] = [
  ['id', 'user_1'],
  ['email', 'ada@example.com'],
  ['first_name', 'Ada'],
  ['last_name', 'Lovelace'],
  ['has_completed_onboarding', expect.any(Boolean)],
  ['organization_id', 'org_1'],
  ['created_at', '1970-01-01T00:00:00.000Z'],
  ['updated_at', '1970-01-01T00:00:00.000Z'],
]
test.each(USER)('spec 2.12 %s', (field, shown) => {
  expect(user[field]).toEqual(shown)
})
