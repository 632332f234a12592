import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'

import { pullQueue, type PullOptions } from '#shared/adapters/aws/sqs-pull.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

type Batch = readonly string[] | Error

/** A queue that gives these batches, then stays silent until the request is aborted. */
function start(batches: readonly Batch[], changes: Partial<PullOptions> = {}) {
  const waiting = [...batches]
  const asked: number[] = []
  const deleted: string[] = []
  const logged: string[] = []
  const controller = new AbortController()
  const timers = manualTimers()
  let drained = (): void => undefined
  const empty = new Promise<void>((resolve) => {
    drained = resolve
  })

  async function send(command: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
    if (command instanceof DeleteMessageCommand) {
      deleted.push(command.input.ReceiptHandle ?? '')
      return {}
    }
    if (!(command instanceof ReceiveMessageCommand)) throw new Error('unexpected command')
    asked.push(command.input.MaxNumberOfMessages ?? 0)
    const batch = waiting.shift()
    if (batch instanceof Error) throw batch
    if (batch === undefined) {
      drained()
      return new Promise((_, reject) => {
        abortSignal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    }
    return { Messages: batch.map((Body, at) => ({ Body, ReceiptHandle: `${Body}@${at}` })) }
  }

  const log = (message: string) => logged.push(message)
  const done = pullQueue({
    client: { send } as unknown as SQSClient,
    url: 'http://sqs/call-start',
    freeSlots: () => 3,
    handle: () => Promise.resolve(),
    signal: controller.signal,
    timers,
    logger: { info: log, warn: log, error: log },
    ...changes,
  })
  const stop = () => {
    controller.abort()
    return done
  }
  return { asked, deleted, logged, empty, timers, stop, controller, done }
}

describe('pullQueue', () => {
  it('asks for as many as there is room for, ten at most', async () => {
    const room = [40, 4, 1]
    const queue = start([[], []], { freeSlots: () => room.shift() ?? 1 })
    await queue.empty
    await queue.stop()
    expect(queue.asked).toEqual([10, 4, 1])
  })

  it('asks nothing while there is no room', async () => {
    let free = 0
    const queue = start([], { freeSlots: () => free })
    expect(queue.asked).toEqual([])
    queue.timers.fire(200)
    await queue.timers.set(200)
    expect(queue.asked).toEqual([])
    free = 2
    queue.timers.fire(200)
    await queue.empty
    expect(queue.asked).toEqual([2])
    await queue.stop()
    expect(queue.timers.waiting()).toEqual([])
  })

  it('deletes what was handled, and leaves what was not', async () => {
    const seen: unknown[] = []
    const queue = start([['{"a":1}', '{"a":2}', 'nonsense']], {
      handle: async (message) => {
        seen.push(message)
        if ((message as { a: number }).a === 1) throw new Error('not now')
      },
    })
    await queue.empty
    await queue.stop()
    expect(seen).toEqual([{ a: 1 }, { a: 2 }])
    expect(queue.deleted).toEqual(['{"a":2}@1'])
    expect(queue.logged).toEqual(['message not handled', 'message not handled'])
  })

  it('goes on asking while messages are at work, and ends after them', async () => {
    let finish = (): void => undefined
    const atWork = new Promise<void>((resolve) => {
      finish = resolve
    })
    const queue = start([['{}']], { handle: () => atWork })
    await queue.empty
    expect(queue.deleted).toEqual([])
    let ended = false
    void queue.done.then(() => {
      ended = true
    })
    queue.controller.abort()
    await Promise.resolve()
    expect(ended).toBe(false)
    finish()
    await queue.done
    expect(queue.deleted).toEqual(['{}@0'])
  })

  it('waits longer after each failure, up to a limit, and starts anew after a success', async () => {
    const no = new Error('no network')
    const queue = start([...Array.from({ length: 7 }, () => no), [], no])
    for (const pause of [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 250]) {
      await queue.timers.set(pause)
      queue.timers.fire(pause)
    }
    await queue.empty
    await queue.stop()
    expect(queue.asked).toHaveLength(10)
  })

  it('stops in the middle of a pause', async () => {
    const queue = start([new Error('no network')])
    await queue.timers.set(250)
    await queue.stop()
    expect(queue.timers.waiting()).toEqual([])
  })

  it('leaves messages that arrive with the end to others', async () => {
    const controller = new AbortController()
    const client = {
      send: () => {
        controller.abort()
        return Promise.resolve({ Messages: [{ Body: '{}', ReceiptHandle: 'r' }] })
      },
    } as unknown as SQSClient
    const handled: unknown[] = []
    await start([], {
      client,
      signal: controller.signal,
      handle: async (message) => void handled.push(message),
    }).done
    expect(handled).toEqual([])
  })
})
