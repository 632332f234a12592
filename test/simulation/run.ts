import { parseArgs } from 'node:util'

import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    log: { type: 'boolean', default: false },
  },
})

const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
const startedAt = performance.now()
let steps = 0
let dials = 0
let failures = 0
for (let seed = first; seed < first + count; seed += 1) {
  const report = await simulate({ seed }, { keepsLog: values.log })
  steps += report.steps
  dials += report.dials
  for (const line of report.log) console.log(line)
  if (report.failure !== null) {
    failures += 1
    console.log(`seed ${seed}: ${report.failure}\n  npm run simulate -- --seed ${seed} --log`)
  }
}
const secs = (performance.now() - startedAt) / 1_000
console.log(
  JSON.stringify({
    seeds: count,
    failures,
    steps,
    dials,
    secs: Number(secs.toFixed(1)),
    steps_per_sec: Math.round(steps / secs),
  }),
)
process.exitCode = failures === 0 ? 0 : 1
