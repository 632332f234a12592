/**
 * Structured logs. Messages are static text; phone numbers, prompts, transcripts and tool arguments
 * go only into fields listed in `redacted`, which the implementation masks.
 */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export interface LogFields {
  readonly [name: string]: unknown
  readonly redacted?: Readonly<Record<string, unknown>>
  readonly error?: unknown
}
