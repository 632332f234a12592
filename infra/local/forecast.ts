/**
 * `npm run forecast -- <file>`: when a campaign would be done. The file is a body of
 * POST /campaigns/forecast (`.json`), or contacts as they are uploaded (CSV, NDJSON).
 */

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import * as z from 'zod'

import { forecastCampaignBody, forecastOf } from '#shared/contract/campaign-forecast.ts'
import { openContacts, readContacts } from '#shared/domain/campaign/contact-file.ts'

const USAGE = `npm run forecast -- <file.json|file.csv|file.ndjson>
  --max-concurrent-calls N   calls at once (20)
  --calls-per-second N       dials per second (10)
  --answer-rate R            share of dials that reach a person (0.35)
  --start TIME               when it begins, in ISO 8601 (now)`

function bodyOf(file: string): Record<string, unknown> {
  const bytes = readFileSync(file)
  if (file.endsWith('.json')) return JSON.parse(bytes.toString()) as Record<string, unknown>
  const opened = openContacts(bytes)
  if (opened.kind === 'unreadable') throw new Error(`${file}: ${opened.reason}`)
  const { lines } = readContacts(bytes.subarray(opened.start), {
    format: opened.format,
    isEnd: true,
    limit: Infinity,
  })
  const contacts = lines.flatMap((line) => (line.kind === 'contact' ? [line.contact] : []))
  return {
    contacts: contacts.map(({ toPhoneNumber, promptVariables }) => ({
      to_phone_number: toPhoneNumber,
      prompt_variables: promptVariables,
    })),
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'max-concurrent-calls': { type: 'string', default: '20' },
    'calls-per-second': { type: 'string', default: '10' },
    'answer-rate': { type: 'string' },
    start: { type: 'string' },
  },
})
const [file] = positionals
if (file === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const body = forecastCampaignBody.safeParse({
    ...bodyOf(file),
    ...(values['answer-rate'] !== undefined && { answer_rate: Number(values['answer-rate']) }),
    ...(values.start !== undefined && { scheduled_at: values.start }),
  })
  if (body.success) {
    const forecast = forecastOf(body.data, {
      maxConcurrentCalls: Number(values['max-concurrent-calls']),
      callsPerSecond: Number(values['calls-per-second']),
      now: Date.now(),
    })
    console.log(JSON.stringify(forecast, null, 2))
  } else {
    console.error(`${file}: ${z.prettifyError(body.error)}`)
    process.exitCode = 1
  }
}
