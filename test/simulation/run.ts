import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { runLargeCampaign } from './large-campaign.ts'
import { minimise } from './minimise.ts'
import { simulate, type SimulatedCase } from './simulate.ts'

/** A case that once failed; it is played again for ever. */
interface KeptCase extends SimulatedCase {
  /** What it showed. */
  readonly once: string
}

const KEPT = new URL('./seeds.json', import.meta.url)

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    /** Instead of seeds: one campaign of so many rows. */
    campaign: { type: 'string' },
    /** A `SimulatedCase` as JSON. */
    case: { type: 'string' },
    log: { type: 'boolean', default: false },
    /** Writes what is left of failing seeds to `seeds.json`. */
    keep: { type: 'boolean', default: false },
  },
})

function casesToRun(): SimulatedCase[] {
  if (values.case !== undefined) return [JSON.parse(values.case) as SimulatedCase]
  const first = Number(values.seed ?? values.from)
  const count = values.seed === undefined ? Number(values.seeds) : 1
  return Array.from({ length: count }, (_, index) => ({ seed: first + index }))
}

async function explain(failing: SimulatedCase, failure: string): Promise<void> {
  console.log(`seed ${failing.seed}: ${failure}`)
  if (values.log) return
  const { smallest, failure: once } = await minimise(failing, failure)
  console.log(`  npm run simulate -- --log --case '${JSON.stringify(smallest)}'`)
  if (!values.keep) return
  const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as KeptCase[]
  writeFileSync(KEPT, `${JSON.stringify([...kept, { ...smallest, once }], null, 2)}\n`)
}

async function runSeeds(): Promise<void> {
  const startedAt = performance.now()
  const cases = casesToRun()
  let steps = 0
  let dials = 0
  let failures = 0
  let explainedMs = 0
  for (const one of cases) {
    const report = await simulate(one, { keepsLog: values.log })
    steps += report.steps
    dials += report.dials
    for (const line of report.log) console.log(line)
    if (report.failure === null) continue
    failures += 1
    const failedAt = performance.now()
    await explain(one, report.failure)
    explainedMs += performance.now() - failedAt
  }
  const secs = (performance.now() - startedAt - explainedMs) / 1_000
  console.log(
    JSON.stringify({
      seeds: cases.length,
      failures,
      steps,
      dials,
      secs: Number(secs.toFixed(1)),
      steps_per_sec: Math.round(steps / secs),
    }),
  )
  process.exitCode = failures === 0 ? 0 : 1
}

if (values.campaign === undefined) await runSeeds()
else console.log(JSON.stringify(await runLargeCampaign(Number(values.campaign)), null, 2))
