import { startProgram, type Program } from '#test/support/local-stack.ts'
import { until } from '#test/support/until.ts'

export const PROCESSES = {
  functions: 'test/support/processes/functions-process.ts',
  runtime: 'infra/local/voice-runtime.ts',
} as const
export type ProcessName = keyof typeof PROCESSES

/** The processes of the service: each may be killed, and another one takes its place at once. */
export class MortalProcesses {
  readonly #localUrl: () => string
  readonly #running = new Map<ProcessName, Program>()

  constructor(localUrl: () => string) {
    this.#localUrl = localUrl
  }

  /** Where the functions answer HTTP; null while they do not. */
  get functionsPort(): number | null {
    const port = /^ready (\d+)$/m.exec(this.#running.get('functions')?.stdout() ?? '')?.[1]
    return port === undefined ? null : Number(port)
  }

  /** Resolves when all are ready. */
  async start(): Promise<void> {
    for (const name of names()) this.#start(name)
    await this.ready()
  }

  async ready(): Promise<void> {
    for (const name of names()) {
      await until(`${name} is ready`, () => {
        const program = this.#running.get(name)
        return program !== undefined && /\bready\b/.test(program.stdout()) ? true : null
      })
    }
  }

  /** `kill -9`, and a new process each. */
  async kill(victims: readonly ProcessName[]): Promise<void> {
    const killed = victims.flatMap((name) => this.#running.get(name) ?? [])
    for (const program of killed) program.kill('SIGKILL')
    await Promise.all(killed.map(({ exit }) => exit))
    for (const name of victims) this.#start(name)
  }

  async stop(): Promise<void> {
    const programs = [...this.#running.values()]
    for (const program of programs) program.kill('SIGKILL')
    await Promise.all(programs.map(({ exit }) => exit))
  }

  /** What they had to complain of, for whoever looks for the reason of a failure. */
  complaints(): string {
    return [...this.#running.values()].map((program) => program.stderr()).join('')
  }

  #start(name: ProcessName): void {
    this.#running.set(name, startProgram(PROCESSES[name], ['--local-url', this.#localUrl()]))
  }
}

function names(): ProcessName[] {
  return Object.keys(PROCESSES) as ProcessName[]
}
