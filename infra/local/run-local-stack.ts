import { startLocalStack, type LocalStack, type LocalStackOptions } from './local-stack.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** What is not over by then ends with the process. */
const STOP_TIMEOUT_MS = 8_000

/**
 * A local stack from its start to its end, which comes with the end of `use`, or with a signal at
 * any moment, also while the stack starts: `signal` is aborted then. Resolves when everything has
 * stopped, with the process's signal if there was one. Rejects with what `use` or the start threw.
 */
export async function runLocalStack(
  options: Omit<LocalStackOptions, 'signal'>,
  use: (stack: LocalStack, signal: AbortSignal) => Promise<void>,
): Promise<NodeJS.Signals | null> {
  const stopping = new AbortController()
  const { signal } = stopping
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (signal.aborted) return
      stopping.abort(name)
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    })
  }
  try {
    const stack = await startLocalStack({ ...options, signal })
    try {
      await use(stack, signal)
    } finally {
      await stack.stop()
    }
  } catch (error) {
    // What is interrupted fails.
    if (!signal.aborted) throw error
  }
  return signal.aborted ? (signal.reason as NodeJS.Signals) : null
}
