import { StartFailure } from './failure.ts'

/** Ends the process with the code that `main` gives, or with what went wrong, in one sentence if it has one. */
export function runProgram(main: () => Promise<number>): void {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      const isForUser = error instanceof StartFailure
      const text = isForUser ? error.message : String(error instanceof Error ? error.stack : error)
      process.stderr.write(`${text}\n`)
      process.exit(1)
    },
  )
}
