import { KMSClient } from '@aws-sdk/client-kms'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'

import { kmsSecretBox } from '#shared/adapters/aws/kms-secret-box.ts'
import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import { type FakeKms, startFakeKms } from '#test/support/fakes/fake-kms.ts'

import { secretBoxSuite } from './secret-box.suite.ts'

describe('with a secret of the deployment', () => {
  let boxes = 0
  secretBoxSuite(async () => {
    boxes += 1
    const secret = `secret ${boxes}`
    return localSecretBox({ secret: () => secret })
  })

  test('asks for its secret only when there is something to seal or open', async () => {
    const idle = localSecretBox({
      secret: () => {
        throw new Error('no secret')
      },
    })
    await expect(idle.seal('a', 'c')).rejects.toThrow('no secret')
  })
})

const clientOf = ({ url }: FakeKms) =>
  new KMSClient({
    region: 'eu-west-1',
    endpoint: url,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    maxAttempts: 1,
  })

describe('with KMS', () => {
  const started: FakeKms[] = []
  afterAll(async () => {
    for (const kms of started) await kms[Symbol.asyncDispose]()
  })
  secretBoxSuite(async () => {
    const kms = await startFakeKms()
    started.push(kms)
    return kmsSecretBox({ client: clientOf(kms), keyId: kms.keyId, clock: { now: () => 0 } })
  })
})

describe('KMS', () => {
  let kms: FakeKms
  let now = 0
  beforeEach(async () => {
    kms = await startFakeKms()
    now = 0
  })
  afterEach(() => kms[Symbol.asyncDispose]())
  const openBox = () =>
    kmsSecretBox({ client: clientOf(kms), keyId: kms.keyId, clock: { now: () => now } })
  const MINUTES = 60_000

  test('is asked for one data key in five minutes, however much is sealed at once', async () => {
    const box = openBox()
    await Promise.all(['a', 'b', 'c'].map((text) => box.seal(text, 'c')))
    now = 5 * MINUTES - 1
    await box.seal('d', 'c')
    expect(kms.asked).toEqual(['GenerateDataKey'])
    now = 5 * MINUTES
    await box.seal('e', 'c')
    expect(kms.asked).toEqual(['GenerateDataKey', 'GenerateDataKey'])
  })

  test('decrypts a data key once in five minutes for a process', async () => {
    const [one, other] = await Promise.all(['a', 'b'].map((text) => openBox().seal(text, 'c')))
    kms.asked.length = 0
    const box = openBox()
    for (const sealed of [one, other, one, other]) await box.open(sealed!, 'c')
    expect(kms.asked).toEqual(['Decrypt', 'Decrypt'])
    now = 5 * MINUTES
    await box.open(one!, 'c')
    expect(kms.asked).toHaveLength(3)
  })

  test('is asked again for what it failed to give', async () => {
    const box = openBox()
    kms.failNext('KMSInternalException', 500)
    await expect(box.seal('a', 'c')).rejects.toMatchObject({ retryable: true, status: 500 })
    const sealed = await box.seal('a', 'c')
    const another = openBox()
    kms.failNext('ThrottlingException', 400)
    await expect(another.open(sealed, 'c')).rejects.toMatchObject({ retryable: true })
    expect(await another.open(sealed, 'c')).toBe('a')
  })

  test('that refuses says so at once', async () => {
    kms.failNext('AccessDeniedException', 400)
    const refused = openBox().seal('a', 'c')
    await expect(refused).rejects.toBeInstanceOf(AdapterError)
    await expect(refused).rejects.toMatchObject({ retryable: false })
  })
})
