import { describe, expect, it } from 'vitest'

import { firstUseful } from '#shared/adapters/first-useful.ts'
import type { Candidate, ChunkLimits } from '#shared/adapters/first-useful.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

const FIRST_MS = 3_000
const NEXT_MS = 2_000
const HEDGE_MS = 700

/** A vendor that does what a test says, when it says so. */
class Scripted implements Candidate<string> {
  readonly name: string
  readonly items: (string | Error | null)[] = []
  isStarted = false
  signal: AbortSignal | null = null
  #wake: () => void = () => undefined

  constructor(name: string, ...items: readonly (string | Error | null)[]) {
    this.name = name
    this.items.push(...items)
  }

  /** Gives an item, an error, or null for the end. */
  give(item: string | Error | null): void {
    this.items.push(item)
    this.#wake()
  }

  async *start(signal: AbortSignal): AsyncGenerator<string> {
    this.isStarted = true
    this.signal = signal
    for (;;) {
      const item = this.items.shift()
      if (item === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
      else if (item instanceof Error) throw item
      else if (item === null) return
      else yield item
    }
  }
}

function race(candidates: readonly Scripted[], limits: Partial<ChunkLimits> = {}) {
  const timers = manualTimers()
  const logger = collectingLogger()
  const controller = new AbortController()
  const items = firstUseful(
    {
      candidates,
      isUseful: (item) => item !== ' ',
      limits: { firstMs: FIRST_MS, nextMs: NEXT_MS, hedgeAfterMs: null, ...limits },
      timers,
      logger,
    },
    controller.signal,
  )
  return { timers, logger, controller, items }
}

describe('the first useful answer', () => {
  it('is that of the first candidate, and nobody else is asked', async () => {
    const [a, b] = [new Scripted('a', ' ', '1', '2', null), new Scripted('b')]
    const { items, timers } = race([a, b])
    expect(await Array.fromAsync(items)).toEqual([' ', '1', '2'])
    expect(b.isStarted).toBe(false)
    expect(timers.waiting()).toEqual([])
  })

  it('may be an end without anything useful', async () => {
    const { items } = race([new Scripted('a', ' ', null), new Scripted('b', '1', null)])
    expect(await Array.fromAsync(items)).toEqual([' '])
  })

  it('comes from the next one when the first fails, whatever it had given', async () => {
    const a = new Scripted('a', ' ', new Error('broken'))
    const { items, logger } = race([a, new Scripted('b', '1', null)])
    expect(await Array.fromAsync(items)).toEqual(['1'])
    expect(logger.messages).toHaveLength(1)
  })

  it('comes from the next one when the first is silent for too long, or gives nothing useful', async () => {
    const [a, b] = [new Scripted('a', ' '), new Scripted('b', '1', null)]
    const { items, timers } = race([a, b])
    const all = Array.fromAsync(items)
    await timers.set(FIRST_MS)
    timers.fire(FIRST_MS)
    expect(await all).toEqual(['1'])
    expect(a.signal?.aborted).toBe(true)
    expect(timers.waiting()).toEqual([])
  })

  it('is the error of the first one when nobody has any', async () => {
    const first = new Error('a')
    const { items } = race([new Scripted('a', first), new Scripted('b', new Error('b'))])
    await expect(Array.fromAsync(items)).rejects.toBe(first)
  })

  it('is an error when the only candidate is silent', async () => {
    const { items, timers } = race([new Scripted('a')])
    const all = Array.fromAsync(items)
    await timers.set(FIRST_MS)
    timers.fire(FIRST_MS)
    await expect(all).rejects.toMatchObject({ retryable: true })
  })
})

describe('once something useful was given', () => {
  it('an error is not made up for', async () => {
    const b = new Scripted('b', '2', null)
    const { items } = race([new Scripted('a', '1', new Error('broken')), b])
    const seen: string[] = []
    const reading = (async () => {
      for await (const item of items) seen.push(item)
    })()
    await expect(reading).rejects.toThrow('broken')
    expect(seen).toEqual(['1'])
    expect(b.isStarted).toBe(false)
  })

  it('silence is an error after a while', async () => {
    const a = new Scripted('a', '1')
    const { items, timers } = race([a])
    const iterator = items[Symbol.asyncIterator]()
    expect(await iterator.next()).toMatchObject({ value: '1' })
    const next = iterator.next()
    await timers.set(NEXT_MS)
    timers.fire(NEXT_MS)
    await expect(next).rejects.toBeInstanceOf(AdapterError)
    expect(timers.waiting()).toEqual([])
  })

  it('a reader that leaves cancels it', async () => {
    const a = new Scripted('a', '1', '2')
    const { items, timers } = race([a])
    for await (const item of items) {
      expect(item).toBe('1')
      break
    }
    expect(a.signal?.aborted).toBe(true)
    expect(timers.waiting()).toEqual([])
  })
})

describe('a hedged request', () => {
  const hedged = { hedgeAfterMs: HEDGE_MS }

  it('asks the second one as well when the first takes long, and takes what comes first', async () => {
    const [a, b] = [new Scripted('a'), new Scripted('b')]
    const { items, timers } = race([a, b], hedged)
    const all = Array.fromAsync(items)
    await timers.set(HEDGE_MS)
    timers.fire(HEDGE_MS)
    expect([a.isStarted, b.isStarted]).toEqual([true, true])
    b.give('1')
    b.give(null)
    expect(await all).toEqual(['1'])
    expect(a.signal?.aborted).toBe(true)
    expect(timers.waiting()).toEqual([])
  })

  it('keeps the first one when that is quicker after all', async () => {
    const [a, b] = [new Scripted('a'), new Scripted('b')]
    const { items, timers } = race([a, b], hedged)
    const all = Array.fromAsync(items)
    await timers.set(HEDGE_MS)
    timers.fire(HEDGE_MS)
    a.give('1')
    a.give(null)
    expect(await all).toEqual(['1'])
    expect(b.signal?.aborted).toBe(true)
  })

  it('goes on with the one that is left when the other fails', async () => {
    const [a, b] = [new Scripted('a'), new Scripted('b')]
    const { items, timers } = race([a, b], hedged)
    const all = Array.fromAsync(items)
    await timers.set(HEDGE_MS)
    timers.fire(HEDGE_MS)
    a.give(new Error('broken'))
    b.give('1')
    b.give(null)
    expect(await all).toEqual(['1'])
  })

  it('is not made when the first one answers in time', async () => {
    const [a, b] = [new Scripted('a', '1'), new Scripted('b')]
    const { items, timers } = race([a, b], hedged)
    const iterator = items[Symbol.asyncIterator]()
    await iterator.next()
    expect(timers.waiting()).toEqual([])
    expect(b.isStarted).toBe(false)
    await iterator.return?.(null)
  })
})

describe('a race that is aborted', () => {
  it.each([0, 1])('throws the reason (%i candidates that ignore it)', async (hedges) => {
    const [a, b] = [new Scripted('a'), new Scripted('b')]
    const { items, timers, controller, logger } = race([a, b], { hedgeAfterMs: HEDGE_MS })
    const all = Array.fromAsync(items)
    await timers.set(HEDGE_MS)
    if (hedges === 1) timers.fire(HEDGE_MS)
    const reason = new Error('interrupted')
    controller.abort(reason)
    await expect(all).rejects.toBe(reason)
    expect(timers.waiting()).toEqual([])
    expect(logger.messages).toEqual([])
    expect(b.isStarted).toBe(hedges === 1)
  })

  it('throws it at once when it was aborted before', async () => {
    const a = new Scripted('a', '1', null)
    const { items, controller } = race([a])
    const reason = new Error('not wanted')
    controller.abort(reason)
    await expect(Array.fromAsync(items)).rejects.toBe(reason)
    expect(a.isStarted).toBe(false)
  })
})
