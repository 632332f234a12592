import type { Clock } from '#shared/ports/clock.ts'
import type { LogFields, Logger } from '#shared/ports/logger.ts'

import { logRecord } from '../log-record.ts'

const LEVELS = ['info', 'warn', 'error'] as const
export type LogLevel = (typeof LEVELS)[number]

/** One line of JSON for each entry of at least `level`, to standard error. Never throws. */
export function consoleLogger(options: {
  readonly clock: Clock
  readonly level: LogLevel
  readonly write?: (line: string) => void
}): Logger {
  const write = options.write ?? ((line: string) => process.stderr.write(line))
  const entry =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(options.level)) return
      const time = new Date(options.clock.now()).toISOString()
      write(`${toJson({ time, level, message, ...logRecord(fields) })}\n`)
    }
  return { info: entry('info'), warn: entry('warn'), error: entry('error') }
}

function toJson(record: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(record, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  } catch {
    return JSON.stringify({ level: record['level'], message: record['message'], unwritable: true })
  }
}
