import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { AnswerRequest, DialRequest, DialResult, Telephony } from '#shared/ports/telephony.ts'

export interface SimulatedTelephonyOptions {
  /** Of the simulated carrier, without a slash at the end. */
  readonly baseUrl: string
  readonly token: string
  /** Where the carrier posts what becomes of the dials. */
  readonly statusUrl: string
  readonly fetch?: typeof fetch
}

const ANSWER_WITHIN_MS = 10_000
/** A request that failed like this never left the machine. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The simulated carrier of the local stack (infra/local/carrier) as a telephony port. */
export function simulatedTelephony(options: SimulatedTelephonyOptions): Telephony {
  return {
    dial: (request) => dial(options, request),
    answer: (request) => takeCall(options, request),
    async hangUp(carrierCallId) {
      const path = `/calls/${encodeURIComponent(carrierCallId)}/hang-up`
      const answer = await ask(options, { method: 'POST', path, isRepeatable: true })
      // A call that the carrier does not know (any more) has no need of a hang-up.
      if (answer.status !== 404) expectStatus(answer, 200)
    },
    async find(attemptId) {
      const path = `/calls?attempt_id=${encodeURIComponent(attemptId)}`
      const answer = await ask(options, { method: 'GET', path, isRepeatable: true })
      if (answer.status === 404) return null
      expectStatus(answer, 200)
      const { call_id: id, is_live: isLive } = fieldsOf(answer)
      if (typeof id !== 'string' || typeof isLive !== 'boolean') throw malformed(answer)
      return { carrierCallId: id, isLive }
    },
  }
}

async function dial(options: SimulatedTelephonyOptions, request: DialRequest): Promise<DialResult> {
  const answer = await ask(options, {
    method: 'POST',
    path: '/calls',
    isRepeatable: false,
    body: {
      attempt_id: request.attemptId,
      order_id: request.orderId,
      attempt_number: request.number,
      to: request.to,
      from: request.from,
      media_url: request.mediaUrl,
      status_url: options.statusUrl,
      ring_timeout_secs: request.ringTimeoutSecs,
    },
  })
  if (answer.status === 400) {
    const { code, sip_code: sipCode } = fieldsOf(answer)
    return {
      kind: 'refused',
      sipCode: typeof sipCode === 'number' ? sipCode : null,
      reason: typeof code === 'string' ? code : null,
    }
  }
  // 409: this attempt was dialled before, by a request whose answer was lost.
  if (answer.status !== 409) expectStatus(answer, 201)
  const { call_id: carrierCallId } = fieldsOf(answer)
  if (typeof carrierCallId !== 'string') throw malformed(answer)
  return { kind: 'placed', carrierCallId }
}

async function takeCall(
  options: SimulatedTelephonyOptions,
  request: AnswerRequest,
): Promise<DialResult> {
  const { carrierCallId } = request
  const answer = await ask(options, {
    method: 'POST',
    path: `/calls/${encodeURIComponent(carrierCallId)}/answer`,
    isRepeatable: true,
    body: {
      attempt_id: request.attemptId,
      order_id: request.orderId,
      attempt_number: request.number,
      media_url: request.mediaUrl,
      status_url: options.statusUrl,
    },
  })
  // The caller has not waited.
  if (answer.status === 404 || answer.status === 410) {
    return { kind: 'refused', sipCode: null, reason: 'caller_gone' }
  }
  expectStatus(answer, 200)
  return { kind: 'placed', carrierCallId }
}

interface Question {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  /** Asking again does no harm, so every failure may be answered with another try. */
  readonly isRepeatable: boolean
}

interface Answer {
  readonly isRepeatable: boolean
  readonly status: number
  readonly text: string
  readonly retryAfterSecs: number | null
}

async function ask(options: SimulatedTelephonyOptions, question: Question): Promise<Answer> {
  try {
    const response = await (options.fetch ?? fetch)(`${options.baseUrl}${question.path}`, {
      method: question.method,
      headers: {
        authorization: `Bearer ${options.token}`,
        ...(question.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(question.body === undefined ? {} : { body: JSON.stringify(question.body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return {
      isRepeatable: question.isRepeatable,
      status: response.status,
      text: await response.text(),
      retryAfterSecs: Number(response.headers.get('retry-after')) || null,
    }
  } catch (cause) {
    throw new AdapterError('The simulated carrier did not answer', {
      retryable: question.isRepeatable || NEVER_SENT.has(codeOf(cause)),
      cause,
    })
  }
}

function expectStatus(answer: Answer, expected: number): void {
  if (answer.status === expected) return
  const isUndone = answer.status === 429 || answer.status === 503
  throw new AdapterError(`The simulated carrier answered ${answer.status}`, {
    retryable: isUndone || (answer.isRepeatable && answer.status >= 500),
    status: answer.status,
    retryAfterSecs: answer.retryAfterSecs,
  })
}

function fieldsOf(answer: Answer): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(answer.text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function malformed(answer: Answer): AdapterError {
  return new AdapterError('The simulated carrier gave a malformed answer', {
    retryable: answer.isRepeatable,
    status: answer.status,
  })
}

/** `fetch` wraps what the socket said. */
function codeOf(error: unknown): unknown {
  return ((error as Error | undefined)?.cause as { readonly code?: unknown } | undefined)?.code
}
