import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { apiClient, type ApiClient, succeeded } from './api-client.ts'
import { expectDocumentedEvent } from './documented-fetch.ts'
import type { CallOrder, CallRetryConfigInput, CreateCallBody } from './generated/parley-client.ts'
import { until } from './until.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** What `npm start -- --json` prints. */
export interface ReadyLine {
  readonly base_url: string
  readonly api_key: string
  readonly webhook_inbox_url: string
  readonly webhook_secret: string
  readonly local_url: string
}

/** A dial as `GET {local_url}/carrier/calls` lists it. */
export interface CarrierCall {
  readonly attempt_id: string
  readonly order_id: string
  readonly attempt_number: number
  readonly to: string
  /** ISO 8601, as the other times. */
  readonly at: string
  readonly ended_at: string | null
  readonly heard: readonly string[]
  readonly said: readonly string[]
  /** Pressed by the agent. */
  readonly keys: string
}

/** A webhook as the inbox lists it. */
export interface ReceivedWebhook {
  readonly received_at: string
  readonly status_answered: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

/** Any program of the project in a process of its own. */
export interface Program {
  readonly pid: number
  stdout(): string
  stderr(): string
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>
  kill(signal: NodeJS.Signals): void
  /** What a terminal does at Ctrl-C: SIGINT to every process of the group. */
  interrupt(): void
}

/** How many times as fast as real time the stacks of the tests go, unless a test says otherwise. */
export const TEST_SPEED = 2

export function startProgram(
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Program {
  const child: ChildProcess = spawn(process.execPath, [path.join(ROOT, file), ...args], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const text = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk))
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  return {
    pid: child.pid ?? 0,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    exit,
    kill: (signal) => void child.kill(signal),
    interrupt: () => void process.kill(-(child.pid ?? 0), 'SIGINT'),
  }
}

/** A data folder of its own, deleted by `remove`. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'))
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A local stack, as a new user starts and reaches it. */
export class LocalStackProcess implements AsyncDisposable {
  readonly program: Program
  readonly ready: ReadyLine
  /** The service as its customers use it. */
  readonly api: ApiClient
  readonly #cleanUp: () => void

  private constructor(program: Program, ready: ReadyLine, cleanUp: () => void) {
    this.program = program
    this.ready = ready
    this.api = apiClient({ baseUrl: ready.base_url, key: ready.api_key })
    this.#cleanUp = cleanUp
  }

  /** Without `data` the stack has a folder of its own that is gone afterwards. */
  static async start(
    options: {
      readonly args?: readonly string[]
      readonly data?: string
      readonly environment?: NodeJS.ProcessEnv
    } = {},
  ): Promise<LocalStackProcess> {
    const own = options.data === undefined ? temporaryFolder() : null
    const program = startProgram(
      'infra/local/start.ts',
      ['--json', '--port', '0', '--voice', 'tones', '--speed', String(TEST_SPEED)].concat(
        ['--data', options.data ?? own?.path ?? ''],
        options.args ?? [],
      ),
      options.environment,
    )
    const line = await Promise.race([
      until('the stack is ready', () => /^.*\n/.exec(program.stdout())?.[0] ?? null),
      program.exit.then(({ code }) => {
        throw new Error(`The stack ended with code ${code}: ${program.stderr()}`)
      }),
    ])
    return new LocalStackProcess(program, JSON.parse(line) as ReadyLine, () => own?.remove())
  }

  async placeCall(body: CreateCallBody): Promise<CallOrder> {
    return (await succeeded(this.api.createCall({ body }))).call
  }

  async getCall(id: string): Promise<CallOrder> {
    return (await succeeded(this.api.getCall({ path: { id } }))).call
  }

  /** Polls a call until it is as wished; says how it was when that does not come. */
  async callOnce(
    id: string,
    isWished: (call: CallOrder) => boolean,
    withinMs = 90_000,
  ): Promise<CallOrder> {
    let last: CallOrder | null = null
    return until(
      `call ${id} as wished`,
      async () => {
        last = await this.getCall(id)
        return isWished(last) ? last : null
      },
      withinMs,
    ).catch((error: unknown) => {
      const attempts = last?.call_attempts.map(({ status }) => status).join()
      throw new Error(`${String(error)} (${last?.status}, attempts ${attempts})`)
    })
  }

  callEnded(id: string): Promise<CallOrder> {
    return this.callOnce(id, ({ status }) => FINAL.has(status))
  }

  /** Answers when everything that falls due on the way has happened. */
  setClock(body: unknown): Promise<Answer<{ readonly now: string; readonly detail?: string }>> {
    return this.#ask('POST', `${this.ready.local_url}/clock`, body)
  }

  /** Puts the clock forward and gives the time that it then shows (epoch ms). */
  async advance(seconds: number): Promise<number> {
    const answer = await this.setClock({ advance_seconds: seconds })
    if (answer.status !== 200) throw new Error(`The clock: ${JSON.stringify(answer)}`)
    return Date.parse(answer.body.now)
  }

  /** The time of the test clock (epoch ms). */
  async now(): Promise<number> {
    const url = `${this.ready.local_url}/clock`
    return Date.parse((await this.#ask<{ now: string }>('GET', url)).body.now)
  }

  /** Every dial the carrier received, oldest first. */
  async dials(orderId?: string): Promise<readonly CarrierCall[]> {
    const url = `${this.ready.local_url}/carrier/calls`
    const { calls } = (await this.#ask<{ calls: CarrierCall[] }>('GET', url)).body
    return calls.filter((call) => orderId === undefined || call.order_id === orderId)
  }

  /** Everything the inbox received about one order, oldest first. */
  async webhooks(orderId: string): Promise<readonly ReceivedWebhook[]> {
    const url = this.ready.webhook_inbox_url
    const { webhooks } = (await this.#ask<{ webhooks: ReceivedWebhook[] }>('GET', url)).body
    for (const { body } of webhooks) expectDocumentedEvent(JSON.parse(body))
    return webhooks.filter(({ body }) => webhookCall(body).id === orderId)
  }

  /** Resolves when the process is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ readonly code: number | null }> {
    this.program.kill(signal)
    const exit = await this.program.exit
    this.#cleanUp()
    return exit
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #ask<Body>(method: string, url: string, body?: unknown): Promise<Answer<Body>> {
    const response = await fetch(url, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }
}

export function webhookCall(body: string): CallOrder {
  return (JSON.parse(body) as { data: { call: CallOrder } }).data.call
}

/** A retry config whose windows are open all the time. */
export function alwaysOpen(maxRetryAttempts: number, retryDelaySecs = 7_200): CallRetryConfigInput {
  const delay = { retry_delay_seconds: retryDelaySecs }
  return {
    allowed_days: [...DAYS],
    max_retry_attempts: maxRetryAttempts,
    calling_windows: [
      { calling_window_start_time: '00:00', calling_window_end_time: '12:00', ...delay },
      { calling_window_start_time: '12:00', calling_window_end_time: '00:00', ...delay },
    ],
  }
}

const FINAL: ReadonlySet<string> = new Set(['completed', 'cancelled', 'errored'])
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
