import { AdapterError } from '#shared/ports/adapter-error.ts'

/** An AWS SDK error in the port's terms, after the SDK's own retries: our faults are not retryable. */
export function awsError(message: string, error: unknown): AdapterError {
  const sdk = error as {
    readonly $fault?: unknown
    readonly $retryable?: unknown
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  const status = sdk.$metadata?.httpStatusCode ?? null
  return new AdapterError(message, {
    retryable: sdk.$fault !== 'client' || sdk.$retryable !== undefined || status === 429,
    status,
    cause: error,
  })
}
