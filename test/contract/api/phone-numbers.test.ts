import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { phoneNumberSchema } from '#shared/contract/phone-number.ts'
import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

const POOL = ['+12025550190', '+12025550191']

let api: Api
let assistantId: string
beforeEach(async () => {
  api = await startApi()
  Object.assign(api.ports.limits, { numberPool: POOL })
  const json = { name: 'Reception', prompt: 'P' }
  const created = await api.request('POST', '/v1/assistants', { json })
  assistantId = created.body.assistant.id
})
afterEach(() => api.stop())

const add = (json: unknown, key = KEYS.test) =>
  api.request('POST', '/v1/phone-numbers', { json, key })
const list = (key = KEYS.test, query = '') =>
  api.request('GET', `/v1/phone-numbers${query}`, { key })
const change = (id: string, json: unknown, key = KEYS.test) =>
  api.request('PATCH', `/v1/phone-numbers/${id}`, { json, key })
const remove = (id: string, key = KEYS.test) =>
  api.request('DELETE', `/v1/phone-numbers/${id}`, { key })
const problemOf = (answer: { status: number; body: { code: string } }) => [
  answer.status,
  answer.body.code,
]

async function addOne(fields: object = {}) {
  const answer = await add({ phone_number: '+12025550150', ...fields })
  expect(answer.status).toBe(200)
  return answer.body.phone_number
}

describe('POST /phone-numbers', () => {
  test('spec 2.11 a number has every field of the specification', async () => {
    const number = await addOne()
    expect(phoneNumberSchema.parse(number)).toEqual(number)
    expect(number).toEqual({
      id: expect.stringMatching(/^num_[0-9A-Z]{26}$/),
      phone_number: '+12025550150',
      label: '+12025550150',
      type: 'owned_number',
      source: 'user_imported',
      provider: 'sip',
      health_status: 'unknown',
      health_checked_at: null,
      spam_score: null,
      inbound_assistant: null,
      inbound_sip_uri: null,
      outbound_trunk_id: null,
      is_default_outbound: false,
      created_by: {
        id: 'user_1',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Lovelace',
      },
      created_at: '2026-01-14T12:00:00.000Z',
    })
  })

  test('decisions 5 POST /phone-numbers imports a number with everything said of it', async () => {
    const number = await addOne({
      label: 'Front desk',
      type: 'verified_caller_id',
      provider: 'telephony_provider_2',
      inbound_assistant_id: assistantId,
      inbound_sip_uri: 'sip:desk@example.com',
      outbound_trunk_id: 'trunk_1',
      is_default_outbound: true,
    })
    expect(number).toMatchObject({
      label: 'Front desk',
      type: 'verified_caller_id',
      source: 'user_imported',
      provider: 'telephony_provider_2',
      inbound_assistant: { id: assistantId, name: 'Reception' },
      inbound_sip_uri: 'sip:desk@example.com',
      outbound_trunk_id: 'trunk_1',
      is_default_outbound: true,
    })
  })

  test('decisions 5 POST /phone-numbers gives a free number of the service, while there is one', async () => {
    await add({ phone_number: POOL[0] }, KEYS.other)
    const given = await add({ label: 'Sales' })
    expect(given.body.phone_number).toMatchObject({
      phone_number: POOL[1],
      source: 'service_provisioned',
      label: 'Sales',
    })
    expect(problemOf(await add({}))).toEqual([409, 'no_number_left'])
  })

  test('two organizations at once never get the same number', async () => {
    const answers = await Promise.all([add({}), add({}, KEYS.other), add({}), add({}, KEYS.other)])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(statuses.filter((status) => status === 409)).toHaveLength(2)
    const given = answers.flatMap(({ body }) => body.phone_number?.phone_number ?? [])
    expect(new Set(given)).toEqual(new Set(POOL))
  })

  test('a number belongs to one organization', async () => {
    await addOne()
    const again = { phone_number: '+12025550150' }
    expect(problemOf(await add(again))).toEqual([409, 'number_taken'])
    expect(problemOf(await add(again, KEYS.other))).toEqual([409, 'number_taken'])
    expect((await list(KEYS.other)).body.phone_numbers).toEqual([])
  })

  test.each<[object, string, string]>([
    [{ phone_number: '12025550150' }, '/phone_number', 'invalid_phone_number'],
    [{ type: 'rented' }, '/type', 'invalid_value'],
    [{ type: 'verified_caller_id' }, '/phone_number', 'required'],
    [{ provider: 'x' }, '/provider', 'invalid_value'],
    [{ label: 'x'.repeat(201) }, '/label', 'too_long'],
    [{ label: null }, '/label', 'invalid_type'],
    [{ inbound_assistant_id: 'asst_none' }, '/inbound_assistant_id', 'assistant_not_found'],
    [{ inbound_sip_uri: 'https://x' }, '/inbound_sip_uri', 'invalid_format'],
    [{ country: 'US' }, '/country', 'unknown_field'],
  ])('POST /phone-numbers refuses %j', async (json, pointer, code) => {
    expect(fieldErrorsOf(await add(json))).toEqual([[pointer, code]])
    expect((await list()).body.phone_numbers).toEqual([])
  })
})

describe('GET /phone-numbers', () => {
  test('spec 4.3 GET /phone-numbers lists the numbers of the organization, in pages', async () => {
    expect((await list()).body).toEqual({ phone_numbers: [], next_cursor: null })
    const first = await addOne({ inbound_assistant_id: assistantId })
    const second = await addOne({ phone_number: '+12025550151', is_default_outbound: true })
    const both = [first, second].toSorted((one, other) => (one.id > other.id ? -1 : 1))
    expect((await list()).body).toEqual({ phone_numbers: both, next_cursor: null })
    const start = await list(KEYS.readOnly, '?limit=1')
    expect(start.body.phone_numbers).toEqual([both[0]])
    const end = await list(KEYS.readOnly, `?limit=1&cursor=${start.body.next_cursor}`)
    expect(end.body).toEqual({ phone_numbers: [both[1]], next_cursor: null })
    expect((await list(KEYS.other)).body.phone_numbers).toEqual([])
  })
})

describe('PATCH /phone-numbers/{id}', () => {
  test.each<[string, object, object]>([
    ['label', { label: 'New' }, { label: 'New' }],
    ['inbound_sip_uri', { inbound_sip_uri: 'sips:a' }, { inbound_sip_uri: 'sips:a' }],
    ['inbound_sip_uri: null', { inbound_sip_uri: null }, { inbound_sip_uri: null }],
    ['outbound_trunk_id', { outbound_trunk_id: 't' }, { outbound_trunk_id: 't' }],
    [
      'inbound_assistant_id: null unlinks',
      { inbound_assistant_id: null },
      { inbound_assistant: null },
    ],
    ['is_default_outbound', { is_default_outbound: false }, { is_default_outbound: false }],
    ['nothing', {}, {}],
  ])('decisions 2 PATCH /phone-numbers %s changes only that', async (_, json, changed) => {
    const number = await addOne({
      inbound_assistant_id: assistantId,
      inbound_sip_uri: 'sip:desk@example.com',
      is_default_outbound: true,
    })
    const answer = await change(number.id, json)
    expect(answer.status).toBe(200)
    expect(answer.body.phone_number).toEqual({ ...number, ...changed })
    expect((await list()).body.phone_numbers).toEqual([{ ...number, ...changed }])
  })

  test('decisions 2 PATCH /phone-numbers inbound_assistant_id links an assistant', async () => {
    const number = await addOne()
    const answer = await change(number.id, { inbound_assistant_id: assistantId })
    expect(answer.body.phone_number.inbound_assistant.id).toBe(assistantId)
    const refusal = await change(number.id, { inbound_assistant_id: 'asst_none' })
    expect(fieldErrorsOf(refusal)).toEqual([['/inbound_assistant_id', 'assistant_not_found']])
  })

  test('decisions 1 what was read can be sent back', async () => {
    const number = await addOne({ inbound_assistant_id: assistantId, is_default_outbound: true })
    expect((await change(number.id, number)).body.phone_number).toEqual(number)
  })

  test('changes of different fields at once both survive', async () => {
    const { id } = await addOne()
    await Promise.all([
      change(id, { label: 'A' }),
      change(id, { outbound_trunk_id: 'B' }),
      change(id, { inbound_sip_uri: 'sip:c' }),
    ])
    expect((await list()).body.phone_numbers).toMatchObject([
      { label: 'A', outbound_trunk_id: 'B', inbound_sip_uri: 'sip:c' },
    ])
  })

  test('spec 5.2 PATCH and DELETE know only numbers of their organization', async () => {
    const { id } = await addOne()
    expect(problemOf(await change(id, { label: 'x' }, KEYS.other))).toEqual([404, 'not_found'])
    expect(problemOf(await remove(id, KEYS.other))).toEqual([404, 'not_found'])
    expect(problemOf(await change('num_0', {}))).toEqual([404, 'not_found'])
    expect(problemOf(await change(id, {}, KEYS.readOnly))).toEqual([403, 'insufficient_scope'])
    expect((await list()).body.phone_numbers).toHaveLength(1)
  })
})

describe('the default outbound number', () => {
  const fromOf = async (fields: object = {}) => {
    const json = { phone_number: '+12025550100', assistant_id: assistantId, ...fields }
    const answer = await api.request('POST', '/v1/call', { json })
    return answer.body.call.from_phone_number
  }

  test('is the one that the organization named, else the one that it was given', async () => {
    expect(await fromOf()).toBe('+12025550199')
    const first = await addOne({ is_default_outbound: true })
    const second = await addOne({ phone_number: '+12025550151' })
    expect(await fromOf()).toBe('+12025550150')
    expect(await fromOf({ from_phone_number: '+12025550160' })).toBe('+12025550160')
    await change(second.id, { is_default_outbound: true })
    expect(await fromOf()).toBe('+12025550151')
    const numbers = (await list()).body.phone_numbers
    expect(
      numbers.filter((one: { is_default_outbound: boolean }) => one.is_default_outbound),
    ).toEqual([{ ...second, is_default_outbound: true }])
    await change(first.id, { is_default_outbound: false })
    expect(await fromOf()).toBe('+12025550151')
    await remove(second.id)
    expect(await fromOf()).toBe('+12025550199')
  })

  test('is shown also where it is the one that the organization was given', async () => {
    const given = await addOne({ phone_number: '+12025550199' })
    expect(given.is_default_outbound).toBe(true)
    const named = await addOne({ is_default_outbound: true })
    const numbers = (await list()).body.phone_numbers
    expect(numbers).toEqual([named, { ...given, is_default_outbound: false }])
  })
})

describe('DELETE /phone-numbers/{id}', () => {
  const campaign = (changes: Partial<Campaign>): Campaign => ({
    id: 'camp_1',
    organizationId: 'org_1',
    version: 1,
    assistantId,
    assistantVersion: 1,
    name: 'C',
    status: 'running',
    isCancelled: false,
    callRetryConfig: null,
    fromPhoneNumber: '+12025550150',
    maxConcurrentCalls: null,
    scheduledAt: null,
    contacts: { key: 'k', count: 1, rows: 1, offset: 1 },
    isImported: true,
    rowsToFollow: null,
    isTest: true,
    deletedAt: null,
    createdAt: NOON,
    updatedAt: NOON,
    ...changes,
  })
  const start = (changes: Partial<Campaign>) =>
    api.ports.campaigns.save({ before: null, after: campaign(changes) })

  test('spec 4.3 DELETE /phone-numbers gives the number up', async () => {
    const { id } = await addOne()
    const answer = await remove(id)
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect((await list()).body.phone_numbers).toEqual([])
    expect(problemOf(await remove(id))).toEqual([404, 'not_found'])
    expect((await add({ phone_number: '+12025550150' }, KEYS.other)).status).toBe(200)
  })

  test.each<[string, Partial<Campaign>]>([
    ['a running campaign', {}],
    ['a paused one', { status: 'paused' }],
    ['one that is yet to start', { status: 'draft' }],
    ['a running one that names no number, as the default', { fromPhoneNumber: null }],
  ])('decisions 2 DELETE /phone-numbers 409 number_in_use: %s', async (_, changes) => {
    const { id } = await addOne({ is_default_outbound: true })
    await start(changes)
    expect(problemOf(await remove(id))).toEqual([409, 'number_in_use'])
    expect((await list()).body.phone_numbers).toMatchObject([{ id, is_default_outbound: true }])
  })

  test('decisions 2 DELETE /phone-numbers 409 number_in_use: the number that was given', async () => {
    const { id } = await addOne({ phone_number: '+12025550199' })
    await start({ fromPhoneNumber: null })
    expect(problemOf(await remove(id))).toEqual([409, 'number_in_use'])
  })

  test.each<[string, Partial<Campaign>]>([
    ['a completed campaign', { status: 'completed' }],
    ['a cancelled one', { isCancelled: true }],
    ['a deleted one', { deletedAt: NOON }],
    ['one with another number', { fromPhoneNumber: '+12025550151' }],
    ['one of another organization', { organizationId: 'org_2' }],
  ])('decisions 2 DELETE /phone-numbers is not kept from it by %s', async (_, changes) => {
    const { id } = await addOne()
    await start(changes)
    expect((await remove(id)).body).toEqual({ success: true })
  })
})
