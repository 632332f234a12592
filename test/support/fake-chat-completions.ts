import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of the fake, used once. */
export type FakeAnswer =
  | {
      readonly kind: 'stream'
      /** Written one by one, exactly so. */
      readonly writes: readonly (string | Uint8Array)[]
      /** `hang` keeps the connection open; `drop` cuts it. */
      readonly end: 'clean' | 'drop' | 'hang'
      readonly contentType?: string
    }
  | {
      readonly kind: 'refuse'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }
  /** Takes the request and never answers. */
  | { readonly kind: 'silence' }

export interface FakeRequest {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * A server that speaks the OpenAI chat completions protocol on loopback
 * (reference/protocols-media.md 9 and 15). It answers from a script and refuses, loudly, requests
 * that the real servers would refuse.
 */
export interface FakeChatCompletions extends AsyncDisposable {
  readonly baseUrl: string
  readonly requests: readonly FakeRequest[]
  readonly openRequests: () => number
  script(...answers: readonly FakeAnswer[]): void
  /** Resolves when the fake has taken in so many requests since its start. */
  received(count: number): Promise<void>
  /** Resolves when no request is open any more. */
  idle(): Promise<void>
}

export async function startFakeChatCompletions(): Promise<FakeChatCompletions> {
  const answers: FakeAnswer[] = []
  const requests: FakeRequest[] = []
  const waiters = new Set<() => void>()
  let open = 0
  const changed = () => {
    for (const check of waiters) check()
  }
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return
        waiters.delete(check)
        resolve()
      }
      waiters.add(check)
      check()
    })

  const server = http.createServer((incoming, response) => {
    open += 1
    response.on('close', () => {
      open -= 1
      changed()
    })
    void readBody(incoming).then((text) => {
      const request = { path: incoming.url ?? '', headers: incoming.headers, body: parse(text) }
      requests.push(request)
      changed()
      const problem = problemWith(incoming.method ?? '', request)
      const answer = problem ?? answers.shift()
      respond(response, answer ?? refusal(500, 'the script of the fake has no more answers'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    openRequests: () => open,
    script: (...more) => answers.push(...more),
    received: (count) => until(() => requests.length >= count),
    idle: () => until(() => open === 0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A whole stream of chunks that ends as it should. */
export function streamOf(...chunks: readonly object[]): FakeAnswer {
  return { kind: 'stream', writes: [...chunks.map(event), 'data: [DONE]\n\n'], end: 'clean' }
}

export function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

export function chunk(
  delta: object,
  finishReason: string | null = null,
  extra: object = {},
): Readonly<Record<string, unknown>> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_767_323_045,
    model: 'fake-model-2026',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...extra,
  }
}

export function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return { kind: 'refuse', status, headers, body: { error: { message, type: 'fake', code: null } } }
}

function respond(response: http.ServerResponse, answer: FakeAnswer): void {
  if (answer.kind === 'silence') return
  if (answer.kind === 'refuse') {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body ?? {}))
    return
  }
  response.writeHead(200, { 'content-type': answer.contentType ?? 'text/event-stream' })
  response.flushHeaders()
  writeAll(response, answer.writes, () => {
    if (answer.end === 'clean') response.end()
    if (answer.end === 'drop') response.destroy()
  })
}

/** Each write leaves in a packet of its own as far as the machine allows. */
function writeAll(
  response: http.ServerResponse,
  writes: readonly (string | Uint8Array)[],
  done: () => void,
): void {
  const [first, ...rest] = writes
  if (first === undefined) return done()
  response.write(first, () => setImmediate(() => writeAll(response, rest, done)))
}

/** What the real servers check before they answer. */
function problemWith(method: string, request: FakeRequest): FakeAnswer | null {
  const { path, headers, body } = request
  // The second is the router's.
  const isKnown = path === '/v1/chat/completions' || path === '/api/v1/chat/completions'
  if (method !== 'POST' || !isKnown) return refusal(404, 'unknown path')
  if (!/^Bearer .+/.test(headers.authorization ?? '')) return refusal(401, 'no key')
  if (headers['content-type'] !== 'application/json') return refusal(415, 'not JSON')
  if (typeof body['model'] !== 'string') return refusal(400, 'no model')
  if (body['stream'] !== true) return refusal(400, 'this fake only streams')
  const messages = body['messages']
  if (!Array.isArray(messages) || messages.length === 0) return refusal(400, 'no messages')
  return unansweredToolCall(messages) ? refusal(400, 'a tool call has no answer') : null
}

function unansweredToolCall(messages: readonly Readonly<Record<string, unknown>>[]): boolean {
  return messages.some((message, index) => {
    const calls = (message['tool_calls'] ?? []) as readonly { readonly id: string }[]
    const answers = messages.slice(index + 1, index + 1 + calls.length)
    return calls.some((call) => !answers.some((answer) => answer['tool_call_id'] === call.id))
  })
}

async function readBody(incoming: http.IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces).toString('utf8')
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
