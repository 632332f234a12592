import { setTimeout as wait } from 'node:timers/promises'

import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner'

import { AdapterError } from '#shared/ports/adapter-error.ts'

type Signing = ConstructorParameters<typeof S3RequestPresigner>[0]

/** A request about one object. */
export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly key: string
  /** A part of the signature: whoever uses a link has to send them. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What is stored: bytes at hand, or as many as are said, from the beginning each time. */
export type S3Content =
  | Uint8Array
  | { readonly bytes: number; readonly chunks: () => AsyncIterable<Uint8Array> }

export interface S3Answer {
  readonly status: number
  readonly body: Uint8Array
}

/** The objects of one bucket. */
export interface S3Bucket {
  /** Lets whoever has the link make the request, for a while. */
  link(request: S3Request, expiresInSecs: number): Promise<string>
  /**
   * Makes the request, up to three times. Throws AdapterError when there is no answer, or one whose
   * status is none of those that are `expected`.
   */
  send(
    request: S3Request & { readonly content?: S3Content },
    expected: readonly number[],
  ): Promise<S3Answer>
}

const TRIES_MAX = 3
const FIRST_DELAY_MS = 100
const TIMEOUT_MS = 60_000

/**
 * A bucket behind signed links, which this process uses itself with `fetch`: a client of the SDK
 * would be a third of the bundle of a function that needs three kinds of requests.
 */
export function s3Bucket(options: {
  readonly name: string
  /** Region and credentials, as any client of the SDK has them in its `config`. */
  readonly config: Pick<Signing, 'credentials' | 'sha256'> & { region: () => Promise<string> }
  /** Where the bucket is; absent: where AWS has it. */
  readonly url?: string
  /** Waiting is real unless a test gives its own. */
  readonly sleep?: (ms: number) => Promise<unknown>
}): S3Bucket {
  const { name, config, sleep = (ms) => wait(ms) } = options
  const { credentials, region, sha256 } = config
  const presigner = new S3RequestPresigner({ credentials, region, sha256 })

  const link = async ({ method, key, headers = {} }: S3Request, expiresIn: number) => {
    const bucketUrl = options.url ?? `https://${name}.s3.${await region()}.amazonaws.com`
    const url = new URL(`${bucketUrl}/${key.split('/').map(encodeURIComponent).join('/')}`)
    const { protocol, hostname, port, pathname: path } = url
    const { query } = await presigner.presign(
      {
        method,
        protocol,
        hostname,
        ...(port !== '' && { port: Number(port) }),
        path,
        headers: { ...headers },
      },
      { expiresIn, unhoistableHeaders: new Set(Object.keys(headers)) },
    )
    url.search = new URLSearchParams(query as Record<string, string>).toString()
    return url.href
  }

  return {
    link,
    async send(request, expected) {
      for (let tries = 1; ; tries += 1) {
        const answer = await tryOnce(await link(request, TIMEOUT_MS / 1_000), request)
        if (!(answer instanceof AdapterError) && expected.includes(answer.status)) return answer
        const error = answer instanceof AdapterError ? answer : refusal(answer.status)
        if (!error.retryable || tries === TRIES_MAX) throw error
        await sleep(FIRST_DELAY_MS * 2 ** (tries - 1))
      }
    },
  }
}

async function tryOnce(
  url: string,
  { method, headers = {}, content }: Parameters<S3Bucket['send']>[0],
): Promise<S3Answer | AdapterError> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(url, { method, signal, ...bodyOf(content, headers) })
    return { status: answer.status, body: new Uint8Array(await answer.arrayBuffer()) }
  } catch (cause) {
    return new AdapterError('S3 cannot be reached', { retryable: true, cause })
  }
}

/** S3 takes no chunked transfer: the length is said before. */
function bodyOf(
  content: S3Content | undefined,
  headers: Readonly<Record<string, string>>,
): RequestInit {
  if (content === undefined) return { headers }
  if (content instanceof Uint8Array) return { headers, body: content as Uint8Array<ArrayBuffer> }
  return {
    headers: { ...headers, 'content-length': String(content.bytes) },
    body: ReadableStream.from(content.chunks()),
    duplex: 'half',
  }
}

function refusal(status: number): AdapterError {
  return new AdapterError(`S3 answered ${status}`, {
    retryable: status >= 500 || status === 429,
    status,
  })
}
