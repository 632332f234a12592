import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

import type { WavAudio } from '#shared/audio/wav.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'

import { orAborted } from '../or-aborted.ts'
import type { EspeakAnswer, EspeakOrder } from './espeak-program.ts'

/** More orders than this waiting for the program are refused. */
const MAX_WAITING = 100

interface Waiting {
  readonly line: string
  readonly resolve: (wav: WavAudio) => void
  readonly reject: (error: AdapterError) => void
}

/**
 * Speaks by a long-lived child program, started with the first order and again after it has died. It
 * ends with this process, whose end closes its standard input.
 */
export class EspeakClient {
  readonly #program: string
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcessByStdio<Writable, Readable, null> | null = null
  /** The order that the program has. */
  #saying: number | null = null
  #nextId = 1
  #closed = false

  constructor(program = fileURLToPath(new URL('espeak-program.ts', import.meta.url))) {
    this.#program = program
  }

  /**
   * Speech at the program's own rate (22.05 kHz). Throws AdapterError, and the signal's reason: the
   * program never gets what nobody waits for by then.
   */
  async speak(
    order: Omit<EspeakOrder, 'id'>,
    signal = new AbortController().signal,
  ): Promise<WavAudio> {
    if (this.#closed || this.#waiting.size >= MAX_WAITING) {
      throw new AdapterError(this.#closed ? 'The voice is closed' : 'The voice is overloaded', {
        retryable: !this.#closed,
      })
    }
    const id = this.#nextId++
    // JSON leaves Unicode's line separators as they are, and the program would take them for its own.
    const text = order.text.replaceAll(/\s+/g, ' ')
    const line = `${JSON.stringify({ ...order, id, text } satisfies EspeakOrder)}\n`
    const { promise, resolve, reject } = Promise.withResolvers<WavAudio>()
    this.#waiting.set(id, { line, resolve, reject })
    this.#sayNext()
    try {
      return await orAborted(promise, signal)
    } finally {
      this.#waiting.delete(id)
    }
  }

  /** One order at a time, because what the program has cannot be taken back. */
  #sayNext(): void {
    const [next] = this.#waiting
    if (this.#saying !== null || next === undefined) return
    const [id, { line }] = next
    this.#saying = id
    this.#child ??= this.#start()
    this.#child.stdin.write(line)
  }

  /** Ends the program; orders still waiting fail. Resolves when it has gone. */
  async close(): Promise<void> {
    this.#closed = true
    const child = this.#child
    if (child === null) return
    await new Promise<void>((resolve) => {
      child.once('close', () => resolve())
      child.stdin.end()
      child.kill()
    })
  }

  /** The program's process id, null when it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  #start(): ChildProcessByStdio<Writable, Readable, null> {
    const child = spawn(process.execPath, [this.#program], { stdio: ['pipe', 'pipe', 'ignore'] })
    const ended = (): void => {
      if (this.#child !== child) return
      this.#child = null
      this.#saying = null
      for (const { reject } of this.#waiting.values()) {
        reject(new AdapterError('The voice program ended', { retryable: !this.#closed }))
      }
      this.#waiting.clear()
    }
    child.once('error', ended)
    child.once('close', ended)
    child.stdin.on('error', ended)
    createInterface({ input: child.stdout }).on('line', (line) => this.#answer(line))
    return child
  }

  #answer(line: string): void {
    const answer = JSON.parse(line) as EspeakAnswer
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    this.#saying = null
    this.#sayNext()
    if ('error' in answer) {
      waiting?.reject(new AdapterError(`espeak-ng: ${answer.error}`, { retryable: false }))
    } else {
      waiting?.resolve(parseWav(Buffer.from(answer.wav, 'base64')))
    }
  }
}
