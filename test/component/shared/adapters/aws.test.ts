import { SQSClient } from '@aws-sdk/client-sqs'
import { startFauxqs, type FauxqsServer } from 'fauxqs'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { s3Bucket } from '#shared/adapters/aws/s3-bucket.ts'
import { s3Recordings } from '#shared/adapters/aws/s3-recordings.ts'
import { pullQueue } from '#shared/adapters/aws/sqs-pull.ts'
import { sqsQueues } from '#shared/adapters/aws/sqs-queues.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { soundOf } from '#test/support/recorded-sound.ts'

let server: FauxqsServer
let access: {
  readonly region: string
  readonly endpoint: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

beforeAll(async () => {
  server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  access = {
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${server.port}`,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  }
})
afterAll(() => server.stop())

it('a message is pulled once it was sent, and gone once it was handled', async () => {
  const { queueUrl } = server.createQueue('call-start')
  const client = new SQSClient(access)
  const urls = {
    dispatch: queueUrl,
    import: queueUrl,
    'call-start': queueUrl,
    'post-call': queueUrl,
    notify: queueUrl,
    webhook: queueUrl,
  }
  const queues = sqsQueues({ client, urls })
  for (const number of [1, 2, 3]) {
    await queues.send('call-start', { orderId: 'call_1', number }, { group: 'org_1' })
  }
  await queues.send('call-start', { orderId: 'call_1', number: 9 }, { delaySecs: 900 })

  const controller = new AbortController()
  const handled: unknown[] = []
  const ignore = () => undefined
  await pullQueue({
    client,
    url: queueUrl,
    freeSlots: () => 10,
    async handle(message) {
      handled.push(message)
      if (handled.length === 3) controller.abort()
      if (handled.length === 2) throw new Error('not now')
    },
    signal: controller.signal,
    timers: manualTimers(),
    logger: { info: ignore, warn: ignore, error: ignore },
  })

  expect(handled).toHaveLength(3)
  const left = server.inspectQueue('call-start')?.messages
  expect(left?.ready).toEqual([])
  expect(left?.inflight.map(({ message }) => message.body)).toEqual([JSON.stringify(handled[1])])
  expect(left?.delayed).toHaveLength(1)
  client.destroy()
})

it('a recording is stored as it was given', async () => {
  server.createBucket('recordings')
  const client = new SQSClient(access)
  const url = `${access.endpoint}/recordings`
  const recordings = s3Recordings(s3Bucket({ name: 'recordings', config: client.config, url }))
  await recordings.put('org_1/att_1.wav', soundOf(1, 2, 3))
  const answer = await fetch(await recordings.url('org_1/att_1.wav'))
  expect([...(await answer.bytes())]).toEqual([1, 2, 3])
  expect(answer.headers.get('content-type')).toBe('audio/wav')
  client.destroy()
})
