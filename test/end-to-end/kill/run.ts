import { parseArgs } from 'node:util'

import { killCampaign } from './kill-campaign.ts'

/** A permit is back so soon after whoever held it was killed. */
const IDLE_MAX_SECS = 60

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '500' },
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '1' },
  },
})

/** `npm run kill-campaign`: prints the report as JSON; the exit code says whether all is well. */
const report = await killCampaign({
  rows: Number(values.rows),
  kills: Number(values.kills),
  seed: Number(values.seed),
  speed: Number(values.speed),
  notice: (sentence) => console.error(sentence),
})
console.log(JSON.stringify(report, null, 2))
const isWell =
  report.dialled_twice + report.lost + report.permits_left === 0 &&
  report.longest_idle_permit_secs <= IDLE_MAX_SECS
process.exitCode = isWell ? 0 : 1
