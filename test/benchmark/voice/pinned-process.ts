import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

/** Below 0 (for root only) keeps other programs of a busy machine out of the figures. */
export const NICENESS = Number(process.env['VOICE_NICE'] ?? 0)

/** A Node program with messages, on one processor only. */
export class PinnedProcess<To extends object, From extends { readonly type: string }> {
  readonly #child: ChildProcess

  constructor(options: {
    readonly program: URL
    readonly processor: number
    readonly env?: Readonly<Record<string, string>>
  }) {
    const { program, processor, env } = options
    const command = `nice -n ${NICENESS} taskset -c ${processor} ${process.execPath} --expose-gc`
    const [first = '', ...others] = command.split(' ')
    this.#child = spawn(first, [...others, program.pathname], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    })
    this.#child.on('exit', (code) => {
      if (code !== 0 && code !== null) throw new Error(`${program.pathname} ended with ${code}`)
    })
  }

  send(message: To): void {
    this.#child.send(message)
  }

  on(run: (message: From) => void): void {
    this.#child.on('message', run)
  }

  /** The next message of this type. */
  next<Type extends From['type']>(type: Type): Promise<Extract<From, { readonly type: Type }>> {
    return new Promise((resolve) => {
      const read = (message: From) => {
        if (message.type !== type) return
        this.#child.off('message', read)
        resolve(message as Extract<From, { readonly type: Type }>)
      }
      this.#child.on('message', read)
    })
  }

  stop(): void {
    this.#child.kill()
  }
}
