import { AdapterError } from '#shared/ports/adapter-error.ts'

/** How services say that they are asked too often; some of them with status 400. */
const BUSY = /Throttl|TooManyRequests|RequestLimitExceeded|SlowDown/

/** An AWS SDK error in the port's terms, after the SDK's own retries: our faults are not retryable. */
export function awsError(message: string, error: unknown): AdapterError {
  const sdk = error as {
    readonly name?: unknown
    readonly $fault?: unknown
    readonly $retryable?: unknown
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  const status = sdk.$metadata?.httpStatusCode ?? null
  const isBusy = status === 429 || BUSY.test(String(sdk.name))
  return new AdapterError(message, {
    retryable: sdk.$fault !== 'client' || sdk.$retryable !== undefined || isBusy,
    status,
    cause: error,
  })
}
