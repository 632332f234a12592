import type { LogFields, Logger } from '#shared/ports/logger.ts'

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields | undefined
}

/** A log to look into. */
export function recordingLogger(): Logger & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const write = (level: LogLine['level']) => (message: string, fields?: LogFields) =>
    void lines.push({ level, message, fields })
  return { lines, info: write('info'), warn: write('warn'), error: write('error') }
}
