import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

import { decrypt, encrypt } from '#shared/adapters/aes-gcm.ts'

interface KmsRequest {
  readonly KeyId?: string
  readonly KeySpec?: string
  readonly CiphertextBlob?: string
  readonly EncryptionContext?: Readonly<Record<string, string>>
}

/** KMS with one master key, over its JSON protocol: GenerateDataKey and Decrypt. */
export interface FakeKms extends AsyncDisposable {
  readonly url: string
  readonly keyId: string
  /** The actions asked for so far. */
  readonly asked: string[]
  /** How the next request fails: the name of an exception of KMS and its HTTP status. */
  failNext(exception: string, status: number): void
}

/** Starts it; two of them have different master keys. */
export async function startFakeKms(): Promise<FakeKms> {
  const masterKey = randomBytes(32)
  const keyId = `arn:aws:kms:eu-west-1:111111111111:key/${crypto.randomUUID()}`
  const asked: string[] = []
  const failures: { readonly exception: string; readonly status: number }[] = []

  const answer = (action: string, request: KmsRequest): object => {
    if (request.KeyId !== keyId) throw new KmsException('NotFoundException')
    const context = canonical(request.EncryptionContext ?? {})
    if (action === 'GenerateDataKey' && request.KeySpec === 'AES_256') {
      const key = randomBytes(32)
      const blob = encrypt(masterKey, key, context)
      return { KeyId: keyId, Plaintext: base64(key), CiphertextBlob: base64(blob) }
    }
    if (action === 'Decrypt') {
      const blob = Buffer.from(request.CiphertextBlob ?? '', 'base64')
      return { KeyId: keyId, Plaintext: base64(opened(masterKey, blob, context)) }
    }
    throw new KmsException('ValidationException')
  }

  const server = http.createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const action = String(request.headers['x-amz-target']).replace(/^TrentService\./, '')
      asked.push(action)
      const reply = (status: number, body: object) =>
        response
          .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
          .end(JSON.stringify(body))
      try {
        const failure = failures.shift()
        if (failure !== undefined) throw new KmsException(failure.exception, failure.status)
        if (!/\/eu-west-1\/kms\/aws4_request,/.test(request.headers.authorization ?? '')) {
          throw new KmsException('MissingAuthenticationTokenException')
        }
        reply(200, answer(action, JSON.parse(Buffer.concat(chunks).toString()) as KmsRequest))
      } catch (error) {
        if (!(error instanceof KmsException)) throw error
        reply(error.status, { __type: error.message, message: '' })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    keyId,
    asked,
    failNext: (exception, status) => void failures.push({ exception, status }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

class KmsException extends Error {
  readonly status: number

  constructor(name: string, status = 400) {
    super(name)
    this.status = status
  }
}

function opened(masterKey: Uint8Array, blob: Uint8Array, context: string): Buffer {
  try {
    return decrypt(masterKey, blob, context)
  } catch {
    throw new KmsException('InvalidCiphertextException')
  }
}

/** The order of names means nothing. */
function canonical(context: Readonly<Record<string, string>>): string {
  return Object.keys(context)
    .toSorted()
    .map((name) => `${name}=${context[name]}`)
    .join('\n')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
