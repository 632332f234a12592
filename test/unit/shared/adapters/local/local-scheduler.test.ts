import { describe, expect, it } from 'vitest'

import { localScheduler } from '#shared/adapters/local/local-scheduler.ts'
import type { Queues } from '#shared/ports/queues.ts'

function schedulerWith(before: () => Promise<void> = () => Promise.resolve()) {
  const sent: unknown[] = []
  const queues: Queues = {
    async send(queue, message) {
      await before()
      sent.push([queue, message])
    },
  }
  const scheduler = localScheduler({ queues })
  const wake = (name: string, at: number) =>
    scheduler.schedule({ name, at, queue: 'dispatch', message: { scope: name } })
  return { scheduler, sent, wake }
}

describe('localScheduler', () => {
  it('sends what is due, earliest first', async () => {
    const { scheduler, sent, wake } = schedulerWith()
    await wake('c', 300)
    await wake('a', 100)
    await wake('b', 200)
    expect(scheduler.nextAt()).toBe(100)
    expect(await scheduler.takeDue(99)).toBe(0)
    expect(await scheduler.takeDue(200)).toBe(2)
    expect(sent).toEqual([
      ['dispatch', { scope: 'a' }],
      ['dispatch', { scope: 'b' }],
    ])
    expect(scheduler.nextAt()).toBe(300)
    expect(await scheduler.takeDue(1_000)).toBe(1)
    expect(scheduler.nextAt()).toBeNull()
  })

  it('keeps the first of two wake-ups of one name, until it was taken', async () => {
    const { scheduler, sent, wake } = schedulerWith()
    await wake('a', 100)
    await wake('a', 50)
    expect(scheduler.nextAt()).toBe(100)
    await scheduler.takeDue(100)
    await wake('a', 150)
    await scheduler.takeDue(150)
    expect(sent).toHaveLength(2)
  })

  it('keeps what could not be sent', async () => {
    let works = false
    const { scheduler, sent, wake } = schedulerWith(() =>
      works ? Promise.resolve() : Promise.reject(new Error('no')),
    )
    await wake('a', 100)
    await expect(scheduler.takeDue(100)).rejects.toThrow('no')
    expect(scheduler.nextAt()).toBe(100)
    works = true
    await scheduler.takeDue(100)
    expect(sent).toHaveLength(1)
  })
})
