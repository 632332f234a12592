import type { SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'

import { sqsQueues } from '#shared/adapters/aws/sqs-queues.ts'
import { QUEUE_DEFINITIONS, type QueueDefinition } from '#shared/ports/queue-definitions.ts'
import type { QueueName } from '#shared/ports/queues.ts'

const URLS = {
  dispatch: 'http://sqs/dispatch',
  import: 'http://sqs/import',
  'call-start': 'http://sqs/call-start',
  'post-call': 'http://sqs/post-call',
  notify: 'http://sqs/notify',
  webhook: 'http://sqs/webhook',
} as const

function queues(send: (command: { input: unknown }) => Promise<unknown>) {
  return sqsQueues({ client: { send } as unknown as SQSClient, urls: URLS })
}

describe('sqsQueues', () => {
  it.each([
    [undefined, {}],
    [{ group: 'org_1' }, { MessageGroupId: 'org_1' }],
    [{ delaySecs: 0.2 }, { DelaySeconds: 1 }],
    [
      { delaySecs: 900, group: 'org_1' },
      { DelaySeconds: 900, MessageGroupId: 'org_1' },
    ],
  ])('sends with %j', async (options, expected) => {
    const inputs: unknown[] = []
    await queues(async (command) => inputs.push(command.input)).send(
      'post-call',
      { orderId: 'call_1', number: 2 },
      options,
    )
    expect(inputs).toEqual([
      {
        QueueUrl: 'http://sqs/post-call',
        MessageBody: '{"orderId":"call_1","number":2}',
        ...expected,
      },
    ])
  })

  it.each([-1, 901, Number.NaN])('refuses a delay of %s s', async (delaySecs) => {
    const nothing = queues(() => Promise.resolve())
    await expect(nothing.send('dispatch', { sweep: true }, { delaySecs })).rejects.toThrow(
      RangeError,
    )
  })

  it('reports what SQS refuses as an adapter error', async () => {
    const failing = queues(() => Promise.reject(new Error('socket closed')))
    await expect(failing.send('dispatch', { sweep: true })).rejects.toMatchObject({
      name: 'AdapterError',
      retryable: true,
    })
  })
})

it('every queue of the service is defined, within the limits of SQS', () => {
  const definitions: Readonly<Record<QueueName, QueueDefinition>> = QUEUE_DEFINITIONS
  expect(Object.keys(definitions).sort()).toEqual(Object.keys(URLS).sort())
  for (const definition of Object.values(definitions)) {
    expect(definition.visibilitySecs).toBeLessThanOrEqual(43_200)
    expect(definition.batchSize).toBeLessThanOrEqual(10)
    expect(definition.maxReceives).toBeGreaterThan(1)
    expect(definition.delaySecs).toBeLessThanOrEqual(900)
  }
})
