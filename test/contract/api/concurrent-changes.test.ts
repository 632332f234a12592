import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Api, startApi } from '#test/support/api-server.ts'

let api: Api
beforeAll(async () => void (api = await startApi()))
afterAll(() => api.stop())

/** Records that can be changed, and changes of different fields of each. Those of assistants stand elsewhere. */
const RECORDS: readonly [path: string, name: string, create: object, changes: readonly object[]][] =
  [
    [
      '/phone-numbers',
      'phone_number',
      { phone_number: '+12025554444' },
      [
        { label: 'Desk' },
        { inbound_sip_uri: 'sip:desk@example.com' },
        { outbound_trunk_id: 'trunk-1' },
        { is_default_outbound: true },
      ],
    ],
    [
      '/connections',
      'connection',
      { kind: 'chat', name: 'Chat', secrets: { token: 'xoxb-secret' } },
      [{ name: 'Team chat' }, { settings: { base_url: 'https://chat.example' } }],
    ],
    [
      '/webhook-endpoints',
      'webhook_endpoint',
      { url: 'https://example.com/events', event_kinds: ['call.completed'] },
      [
        { url: 'https://example.com/others' },
        { description: 'Others' },
        { event_kinds: ['call.started'] },
        { is_enabled: false },
      ],
    ],
  ]

test.each(RECORDS)('%s: concurrent changes of different fields all survive', async (...record) => {
  const [path, name, create, changes] = record
  const created = await api.request('POST', `/v1${path}`, { json: create })
  const { id } = created.body[name]
  const answers = await Promise.all(
    changes.map((json) => api.request('PATCH', `/v1${path}/${id}`, { json })),
  )
  expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
  const unchanged = await api.request('PATCH', `/v1${path}/${id}`, { json: {} })
  expect(unchanged.body[name]).toMatchObject(Object.assign({}, ...changes) as object)
})
