import { StartFailure } from './failure.ts'

/** Ends the process with the code that `main` gives, or with what went wrong, in one sentence if it has one. */
export function runProgram(main: () => Promise<number>): void {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      const text =
        sentenceOf(error) ?? String(error instanceof Error ? (error.stack ?? error) : error)
      process.stderr.write(`${text}\n`)
      process.exit(1)
    },
  )
}

/** For what the person at the keyboard can mend, wrong options among it; null for faults. */
function sentenceOf(error: unknown): string | null {
  if (error instanceof StartFailure) return error.message
  const { code, message } = error as { code?: unknown; message?: string }
  return String(code).startsWith('ERR_PARSE_ARGS') ? (message ?? null) : null
}
