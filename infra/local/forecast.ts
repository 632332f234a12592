/**
 * `npm run forecast -- <file>`: when a campaign would be done. The file is a body of
 * POST /campaigns/forecast (`.json`), or contacts as they are uploaded (CSV, NDJSON).
 */

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import * as z from 'zod'

import { forecastCampaignBody, forecastOf } from '#shared/contract/campaign-forecast.ts'
import { openContacts, readContacts } from '#shared/domain/campaign/contact-file.ts'

import { StartFailure } from './failure.ts'
import { runProgram } from './run-program.ts'

const USAGE = `npm run forecast -- <file.json|file.csv|file.ndjson>
  --max-concurrent-calls N   calls at once (20)
  --calls-per-second N       dials per second (10)
  --answer-rate R            share of dials that reach a person (0.35)
  --start TIME               when it begins, in ISO 8601 (now)`

/** What the service would be configured with. */
const limits = z.object({
  'max-concurrent-calls': z.coerce.number().int().min(1),
  'calls-per-second': z.coerce.number().positive(),
})

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw new StartFailure(`${file} cannot be read.`)
  }
}

function parseJson(file: string, text: string): object {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    throw new StartFailure(`${file} is not a JSON object.`)
  }
}

function bodyOf(file: string): object {
  const bytes = readBytes(file)
  if (file.endsWith('.json')) return parseJson(file, bytes.toString())
  const opened = openContacts(bytes)
  if (opened.kind === 'unreadable') throw new StartFailure(`${file}: ${opened.reason}`)
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

/** Throws StartFailure, which names the fields that are wrong. */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (!result.success) throw new StartFailure(z.prettifyError(result.error))
  return result.data
}

async function main(): Promise<number> {
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
  if (file === undefined) throw new StartFailure(USAGE)
  const allowed = checked(limits, values)
  const body = checked(forecastCampaignBody, {
    ...bodyOf(file),
    ...(values['answer-rate'] !== undefined && { answer_rate: Number(values['answer-rate']) }),
    ...(values.start !== undefined && { scheduled_at: values.start }),
  })
  const forecast = forecastOf(body, {
    maxConcurrentCalls: allowed['max-concurrent-calls'],
    callsPerSecond: allowed['calls-per-second'],
    now: Date.now(),
  })
  process.stdout.write(`${JSON.stringify(forecast, null, 2)}\n`)
  return 0
}

runProgram(main)
