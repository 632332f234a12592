import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { LogFields } from '#shared/ports/logger.ts'

/** What a logger writes for some fields: personal data masked, errors as data. */
export function logRecord(fields: LogFields): Record<string, unknown> {
  const { redacted, error, ...open } = fields
  return {
    ...open,
    ...(redacted && {
      redacted: Object.fromEntries(
        Object.entries(redacted).map(([name, value]) => [name, mask(value)]),
      ),
    }),
    ...(error !== undefined && { error: describeError(error) }),
  }
}

/** Of a phone number enough stays to recognise it: `+1202…0100`. Of everything else nothing. */
function mask(value: unknown): string {
  if (typeof value !== 'string' || !/^\+\d{10,15}$/.test(value)) return '[redacted]'
  return `${value.slice(0, 5)}…${value.slice(-4)}`
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  return {
    name: error.name,
    message: error.message,
    ...(error instanceof AdapterError && { retryable: error.retryable, status: error.status }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}
