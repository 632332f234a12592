import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { expect, it } from 'vitest'

import { startQueuePump } from '#infra/local/queue-pump.ts'
import { QUEUE_DEFINITIONS } from '#shared/ports/queue-definitions.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

const MESSAGES = { Messages: [{ MessageId: '1', ReceiptHandle: 'r', Body: '{}' }] }
const URLS = Object.fromEntries(
  Object.keys(QUEUE_DEFINITIONS).map((name) => [name, `http://sqs/${name}`]),
) as Record<QueueName, string>

/** A pump of one queue, on an SQS that answers as told and then has nothing any more. */
function stage(...answers: (() => object)[]) {
  const sent: string[] = []
  const logged: string[] = []
  const deleted = Promise.withResolvers<void>()
  const timers = manualTimers()
  const send = async (command: object, options?: { readonly abortSignal: AbortSignal }) => {
    if (!(command instanceof ReceiveMessageCommand)) {
      sent.push(command.constructor.name)
      deleted.resolve()
      return {}
    }
    const answer = answers.shift()
    if (answer !== undefined) return answer()
    const { promise, reject } = Promise.withResolvers<never>()
    options?.abortSignal.addEventListener('abort', () => reject(new Error('aborted')))
    return promise
  }
  const log = (message: string) => void logged.push(message)
  const start = (handler: () => Promise<{ batchItemFailures: { itemIdentifier: string }[] }>) =>
    startQueuePump({
      client: { send } as never,
      urls: URLS,
      handlers: { notify: handler },
      logger: { info: log, warn: log, error: log },
      timers,
    })
  return { start, timers, sent, logged, deleted: deleted.promise }
}

it('a queue that cannot be reached is asked again, and its trouble logged', async () => {
  const fails = () => {
    throw new Error('no connection')
  }
  const { start, timers, sent, logged, deleted } = stage(fails, () => MESSAGES)
  // The second answer goes to another of the queue's batches.
  const pump = start(async () => ({ batchItemFailures: [] }))
  await timers.set(1_000)
  timers.fire(1_000)
  await deleted
  expect(sent).toEqual(['DeleteMessageCommand'])
  expect(logged).toEqual(['A queue could not be served'])
  await pump.stop()
})

it('a handler that breaks stops nothing', async () => {
  const { start, timers, sent, logged, deleted } = stage(
    () => MESSAGES,
    () => MESSAGES,
  )
  let calls = 0
  const pump = start(async () => {
    calls += 1
    if (calls === 1) throw new Error('a bug')
    return { batchItemFailures: [{ itemIdentifier: '1' }] }
  })
  await timers.set(1_000)
  timers.fire(1_000)
  await deleted
  expect(sent).toEqual(['ChangeMessageVisibilityCommand'])
  expect(logged).toEqual(['A queue could not be served'])
  await pump.stop()
})

it('ends while a message is worked on', async () => {
  const { start, timers } = stage(() => MESSAGES)
  const pump = start(() => new Promise(() => {}))
  const stopped = pump.stop()
  await timers.set(1_000)
  timers.fire(1_000)
  await stopped
})
