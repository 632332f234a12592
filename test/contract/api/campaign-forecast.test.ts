import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { campaignForecastSchema } from '#shared/contract/campaign-forecast.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.stop())

const forecast = (json: object) => api.request('POST', '/v1/campaigns/forecast', { json })

describe('POST /campaigns/forecast', () => {
  test('says when it would be done, how many calls that takes, and when', async () => {
    const answer = await forecast({
      rows_by_zone: { UTC: 600 },
      call_retry_config: { allowed_days: ['monday'], calling_windows: [{}], timezone: 'UTC' },
      max_concurrent_calls: 10,
      answer_rate: 1,
      answered_call_secs: 60,
      scheduled_at: '2027-11-01T00:00:00Z',
    })
    expect(answer.status).toBe(200)
    const { forecast: told } = answer.body
    expect(campaignForecastSchema.parse(told)).toEqual(told)
    // A Monday: the window opens at ten, and six hundred minutes at ten lines are an hour.
    expect(told).toMatchObject({ rows: 600, attempts: 600, reached: 600 })
    expect(told.finishes_at).toMatch(/^2027-11-01T11:0[01]:/)
    expect(told.calls_per_hour[0]).toMatchObject({ hour: '2027-11-01T10:00:00.000Z' })
  })

  test('contacts are given as for a campaign', async () => {
    const contacts = [{ to_phone_number: '+12025550100' }, { to_phone_number: 'nobody' }]
    expect((await forecast({ contacts })).body.forecast).toMatchObject({ rows: 1 })
  })

  test.each([
    ['nothing to call', {}, '/contacts'],
    ['both', { contacts: [], rows_by_zone: { UTC: 1 } }, '/contacts'],
    ['a rate above one', { rows_by_zone: { UTC: 1 }, answer_rate: 1.5 }, '/answer_rate'],
    ['an unknown zone', { rows_by_zone: { Nowhere: 1 } }, '/rows_by_zone/Nowhere'],
    ['a negative count', { rows_by_zone: { UTC: -1 } }, '/rows_by_zone/UTC'],
  ])('%s is refused by name', async (_, json, pointer) => {
    const answer = await forecast(json)
    expect(answer.status).toBe(422)
    expect(fieldErrorsOf(answer).map(([pointer]) => pointer)).toEqual([pointer])
  })

  test('forty thousand contacts are answered, more are refused', async () => {
    const contacts = Array.from({ length: 40_001 }, (_, index) => ({
      to_phone_number: `+1202${2_000_000 + index}`,
    }))
    const accepted = await forecast({ contacts: contacts.slice(1) })
    expect(accepted.body.forecast.rows).toBe(40_000)
    const refused = await forecast({ contacts })
    expect([refused.status, refused.body.code]).toEqual([413, 'use_upload'])
  })
})
