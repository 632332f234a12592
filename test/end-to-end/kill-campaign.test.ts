import { expect, it } from 'vitest'

import { killCampaign } from './kill/kill-campaign.ts'

const ROWS = 60
const KILLS = 3

it('a campaign survives kill -9 of its functions and its runtime at random moments', async () => {
  const report = await killCampaign({
    rows: ROWS,
    kills: KILLS,
    seed: 1,
    speed: 4,
    notice: () => {},
  })
  expect(report.kills).toHaveLength(KILLS)
  expect(report.dials).toBeGreaterThan(ROWS * 0.8)
  expect(report).toMatchObject({ dialled_twice: 0, lost: 0, permits_left: 0 })
  const { completed = 0, failed = 0 } = report.row_stats
  expect(completed + failed).toBe(ROWS)
}, 900_000)
