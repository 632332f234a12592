/** POST /call/export: spec 4.4 and decisions 2. */

import * as z from 'zod'

import type { CsvCell } from '#shared/domain/call-search/csv-row.ts'

import { callCursor } from './call-cursor.ts'
import type { CallOrderWire } from './call-order.ts'
import { callFilterFields } from './call-search.ts'

/** Columns by name; what is said of an attempt is said of the last one. */
const COLUMNS = {
  id: (call) => call.id,
  created_at: (call) => call.created_at,
  updated_at: (call) => call.updated_at,
  direction: (call) => call.direction,
  status: (call) => call.status,
  cancel_reason: (call) => call.cancel_reason,
  from_phone_number: (call) => call.from_phone_number,
  to_phone_number: (call) => call.to_phone_number,
  assistant_id: (call) => call.assistant.id,
  assistant_name: (call) => call.assistant.name,
  campaign_id: (call) => call.campaign?.id ?? null,
  campaign_name: (call) => call.campaign?.name ?? null,
  first_name: (call) => call.contact.first_name,
  last_name: (call) => call.contact.last_name,
  company: (call) => call.contact.company,
  job_title: (call) => call.contact.job_title,
  email: (call) => call.contact.email,
  scheduled_at: (call) => call.scheduled_at,
  next_call_at: (call) => call.next_call_at,
  calls_count: (call) => call.calls_count,
  result: (call) => call.last_call_attempt?.result ?? null,
  dial_error: (call) => call.last_call_attempt?.dial_error ?? null,
  started_at: (call) => call.last_call_attempt?.started_at ?? null,
  answered_at: (call) => call.last_call_attempt?.answered_at ?? null,
  ended_at: (call) => call.last_call_attempt?.ended_at ?? null,
  ended_by: (call) => call.last_call_attempt?.ended_by ?? null,
  end_reason: (call) => call.last_call_attempt?.end_reason ?? null,
  outcome: (call) => call.outcome,
  outcome_summary: (call) => call.outcome_summary,
  structured_output: (call) => json(call.last_call_attempt?.structured_output ?? null),
  metadata: (call) => json(call.metadata),
  prompt_variables: (call) => json(call.prompt_variables),
  recording_url: (call) => call.last_call_attempt?.recording_url ?? null,
  transcript: (call) =>
    call.last_call_attempt?.transcript
      .map(({ role, content }) => `${role}: ${content}`)
      .join('\n') ?? null,
} as const satisfies Record<string, (call: CallOrderWire) => CsvCell>
type NamedColumn = keyof typeof COLUMNS

/** Maps whose values can stand in columns of their own, such as `metadata.customer`. */
const MAPS = {
  metadata: (call) => call.metadata,
  prompt_variables: (call) => call.prompt_variables,
  structured_output: (call) => call.last_call_attempt?.structured_output ?? {},
} as const satisfies Record<string, (call: CallOrderWire) => Readonly<Record<string, unknown>>>
type NamedMap = keyof typeof MAPS

const names = Object.keys(COLUMNS) as [NamedColumn, ...NamedColumn[]]
const SEPARATE: ReadonlySet<NamedColumn> = new Set([
  'recording_url',
  'transcript',
  'prompt_variables',
])
const DEFAULT_COLUMNS = names.filter((name) => !SEPARATE.has(name))
const COLUMNS_MAX = 200

const columnSchema = z.union(
  [
    z.enum(names),
    z
      .templateLiteral([z.enum(Object.keys(MAPS) as [NamedMap]), '.', z.string()])
      .meta({ example: 'metadata.customer' }),
  ],
  `Expected one of ${names.join(', ')}, or a field of ${Object.keys(MAPS).join(', ')} such as metadata.customer`,
)
export type ExportColumn = z.output<typeof columnSchema>

export const exportCallsBody = z.strictObject({
  ...callFilterFields,
  columns: z.array(columnSchema).min(1).max(COLUMNS_MAX).default(DEFAULT_COLUMNS),
  limit: z.int().min(1).max(1_000).default(1_000),
  /** The `next_offset` of the part before. */
  offset: callCursor,
})

/** The parts put behind each other are one table: only the first begins with the header. */
export const exportCallsAnswer = z.strictObject({
  csv: z.string(),
  filename: z.string(),
  next_offset: z.string().nullable(),
})

/** What a column says of a call. */
export function exportCell(call: CallOrderWire, column: ExportColumn): CsvCell {
  if (column in COLUMNS) return COLUMNS[column as NamedColumn](call)
  const dot = column.indexOf('.')
  const map: Readonly<Record<string, unknown>> = MAPS[column.slice(0, dot) as NamedMap](call)
  const key = column.slice(dot + 1)
  return Object.hasOwn(map, key) ? cellOf(map[key]) : null
}

function cellOf(value: unknown): CsvCell {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value
    default:
      return value === null || value === undefined ? null : JSON.stringify(value)
  }
}

function json(value: Readonly<Record<string, unknown>> | null): string | null {
  return value === null || Object.keys(value).length === 0 ? null : JSON.stringify(value)
}
