import { expect, test } from 'vitest'

import { forecastCampaign } from '#shared/domain/campaign/forecast.ts'

import { LARGE_CAMPAIGN, runLargeCampaign } from './large-campaign.ts'

const ROWS = 4_000

test('a campaign goes as it was forecast', async () => {
  const { zones, callees, retryConfig, cap, startAt } = LARGE_CAMPAIGN
  const ran = await runLargeCampaign(ROWS)
  expect(ran).toMatchObject({ rows: ROWS, most_calls_at_once: cap })
  expect(ran.scheduler_entries).toBeLessThan(100)
  const forecast = forecastCampaign({
    groups: zones.map((zone) => ({ zones: [zone], contacts: ROWS / zones.length })),
    retryConfig,
    maxConcurrentCalls: cap,
    callsPerSecond: 50,
    answerRate: callees.answered,
    // Ringing and deciding, then talking; half of the others ring out after thirty seconds.
    answeredSecs: 15 + 60,
    unansweredSecs: (15 + 30) / 2,
    startAt,
  })
  const isClose = (one: number, other: number) => Math.abs(one / other - 1) < 0.03
  expect(isClose(forecast.attempts, ran.dials)).toBe(true)
  expect(isClose(forecast.reached, ran.reached)).toBe(true)
  const hours = ((forecast.finishedAt ?? 0) - startAt) / 3_600_000
  expect(isClose(hours, ran.virtual_hours)).toBe(true)
})
