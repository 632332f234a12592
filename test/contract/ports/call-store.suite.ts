import { beforeEach, describe, expect, test } from 'vitest'

import type { OutboxEffect } from '#shared/domain/effect.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import type { CallStore, StoredEffect } from '#shared/ports/call-store.ts'

import { expectSaved } from './expect-saved.ts'
import {
  endedAttempt,
  incompressible,
  next,
  NOON,
  sampleAssistant,
  sampleAttempt,
  sampleOrder,
  sampleSpeech,
} from './sample-records.ts'

export function callStoreSuite(open: () => Promise<CallStore>): void {
  let calls: CallStore
  beforeEach(async () => {
    calls = await open()
  })

  describe('records', () => {
    test('nothing is found before anything is stored', async () => {
      expect(await calls.findOrder('call_1')).toBeNull()
      expect(await calls.findCall('call_1')).toBeNull()
      expect(await calls.findAttempt('call_1', 1)).toBeNull()
    })

    test.each([
      ['a stored assistant', sampleOrder()],
      ['an inbound call', sampleOrder({ direction: 'inbound', fromPhoneNumber: '+12025550101' })],
      ['no numbers at all', sampleOrder({ direction: 'inbound', dueAt: null, campaign: null })],
      [
        'an inline assistant',
        sampleOrder({ assistant: { kind: 'inline', settings: sampleAssistant() } }),
      ],
      ['long variables', sampleOrder({ promptVariables: { prompt: incompressible(500_000) } })],
    ])('an order with %s is read as it was stored', async (_, order) => {
      await expectSaved(calls, { order: { before: null, after: order } })
      expect(await calls.findOrder('call_1')).toEqual(order)
      expect(await calls.findCall('call_1')).toEqual({ order, attempts: [] })
    })

    test.each([
      ['queued', sampleAttempt()],
      ['live with a transcript', sampleAttempt({ transcript: [{ role: 'user', content: 'hi' }] })],
      ['ended', endedAttempt()],
      ['ended with repeated prompts', withPrompts(() => 'You are a helpful agent. '.repeat(400))],
      [
        'ended with more than an item holds',
        withPrompts((turn) => incompressible(25_000, turn + 1)),
      ],
    ])('an attempt that is %s is read as it was stored', async (_, attempt) => {
      const order = sampleOrder()
      await expectSaved(calls, {
        order: { before: null, after: order },
        attempt: { before: null, after: attempt },
      })
      expect(await calls.findAttempt('call_1', 1)).toEqual(attempt)
      expect(await calls.findCall('call_1')).toEqual({ order, attempts: [attempt] })
    })

    test('changes replace what they change and keep the rest', async () => {
      const order = sampleOrder()
      const changed = next(order, {
        dueAt: null,
        metadata: { added: '' },
        assistant: { kind: 'inline', settings: sampleAssistant() },
      })
      const again = next(changed, { status: 'calling' })
      const attempt = withPrompts((turn) => incompressible(25_000, turn + 1))
      const concluded = next(attempt, { structuredOutput: { a: 1 }, speechEvents: [] })
      await expectSaved(calls, {
        order: { before: null, after: order },
        attempt: { before: null, after: attempt },
      })
      await expectSaved(calls, { order: { before: order, after: changed } })
      await expectSaved(calls, {
        order: { before: changed, after: again },
        attempt: { before: attempt, after: concluded },
      })
      expect(await calls.findCall('call_1')).toEqual({ order: again, attempts: [concluded] })
    })

    test('attempts come by number and never with those of another order', async () => {
      const order = sampleOrder()
      await expectSaved(calls, { order: { before: null, after: order } })
      for (const number of [1000, 2, 100, 1, 10]) {
        await expectSaved(calls, { attempt: { before: null, after: endedAttempt({ number }) } })
      }
      const foreign = endedAttempt({ orderId: 'call_10' })
      await expectSaved(calls, { attempt: { before: null, after: foreign } })
      const call = await calls.findCall('call_1')
      expect(call?.attempts.map(({ number }) => number)).toEqual([1, 2, 10, 100, 1000])
      expect((await calls.findAttempt('call_1', 100))?.number).toBe(100)
      expect(await calls.findCall('call_10')).toBeNull()
    })

    test('nobody can change what is stored by changing what they stored or read', async () => {
      const metadata: Record<string, string> = { a: '1' }
      await expectSaved(calls, { order: { before: null, after: sampleOrder({ metadata }) } })
      metadata['a'] = '2'
      const read = (await calls.findOrder('call_1')) as { metadata: Record<string, string> }
      expect(read.metadata).toEqual({ a: '1' })
      expect(Reflect.set(read.metadata, 'a', '3') && Object.isFrozen(read.metadata)).toBe(false)
      expect((await calls.findOrder('call_1'))?.metadata).toEqual({ a: '1' })
    })
  })

  describe('conflicts', () => {
    test('an order is created once', async () => {
      const order = sampleOrder()
      await expectSaved(calls, { order: { before: null, after: order } })
      const again = { order: { before: null, after: sampleOrder({ metadata: { other: '' } }) } }
      expect(await calls.save({ ...again, effects: [] })).toEqual({ kind: 'conflict' })
      expect(await calls.findOrder('call_1')).toEqual(order)
    })

    test('what does not exist cannot be changed', async () => {
      const change = { before: sampleOrder(), after: next(sampleOrder(), {}) }
      expect(await calls.save({ order: change, effects: [] })).toEqual({ kind: 'conflict' })
      expect(await calls.findOrder('call_1')).toBeNull()
    })

    test('of 50 changes to the same version exactly one is saved', async () => {
      const order = sampleOrder()
      await expectSaved(calls, { order: { before: null, after: order } })
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          calls.save({
            order: { before: order, after: next(order, { outcomeSummary: `writer ${index}` }) },
            effects: [],
          }),
        ),
      )
      expect(results.filter(({ kind }) => kind === 'saved')).toHaveLength(1)
      const winner = results.findIndex(({ kind }) => kind === 'saved')
      expect((await calls.findOrder('call_1'))?.outcomeSummary).toBe(`writer ${winner}`)
    })

    test('a save that loses one condition stores nothing at all', async () => {
      const order = sampleOrder()
      const attempt = sampleAttempt()
      await expectSaved(calls, {
        order: { before: null, after: order },
        attempt: { before: null, after: attempt },
      })
      const result = await calls.save({
        order: { before: order, after: next(order, { status: 'cancelled', dueAt: null }) },
        attempt: { before: null, after: endedAttempt() },
        effects: [effect('out_1', NOON)],
      })
      expect(result).toEqual({ kind: 'conflict' })
      expect(await calls.findCall('call_1')).toEqual({ order, attempts: [attempt] })
      expect(await calls.listUndone(NOON + 1, 10)).toEqual([])
      expect(await calls.nextDueAt(order.scope)).toBe(NOON)
    })
  })

  describe('outbox', () => {
    test('effects are listed oldest first until they are done', async () => {
      const effects = [3, 1, 2].map((age) => effect(`out_${age}`, NOON + age))
      await expectSaved(calls, { order: { before: null, after: sampleOrder() }, effects })
      expect(await calls.listUndone(NOON + 3, 10)).toEqual([effects[1], effects[2]])
      expect(await calls.listUndone(NOON + 4, 2)).toEqual([effects[1], effects[2]])
      // Whoever finishes it may not know when it was stored.
      await calls.markDone(effect('out_1', 0))
      await calls.markDone(effect('out_1', 0))
      expect(await calls.listUndone(NOON + 4, 10)).toEqual([effects[2], effects[0]])
    })

    test.each<OutboxEffect>([
      { kind: 'startAttempt', orderId: 'call_1', number: 1 },
      { kind: 'concludeAttempt', orderId: 'call_1', number: 1 },
      { kind: 'announce', event: 'call.completed', orderId: 'call_1' },
    ])('$kind is read as it was stored', async (asked) => {
      const stored = { ...effect('out_1', NOON), effect: asked }
      await expectSaved(calls, { effects: [stored] })
      expect(await calls.listUndone(NOON + 1, 10)).toEqual([stored])
    })

    test('effects of the same name belong to their orders', async () => {
      const [one, other] = ['call_1', 'call_2'].map((orderId) => ({
        ...effect('start-1', NOON),
        orderId,
      })) as [StoredEffect, StoredEffect]
      await expectSaved(calls, { effects: [one, other] })
      await calls.markDone(one)
      expect(await calls.listUndone(NOON + 1, 10)).toEqual([other])
    })

    test('a write of nothing is saved', async () => {
      await expectSaved(calls, {})
    })
  })

  describe('leases', () => {
    test('expired ones of live attempts come longest overdue first', async () => {
      const leases = { call_a: NOON + 1, call_b: NOON, call_c: NOON + 2, call_d: null }
      for (const [orderId, leaseUntil] of Object.entries(leases)) {
        const attempt = sampleAttempt({ orderId, number: 2, leaseUntil })
        await expectSaved(calls, { attempt: { before: null, after: attempt } })
      }
      expect(await calls.listExpiredLeases(NOON + 1, 10)).toEqual([
        { orderId: 'call_b', number: 2 },
        { orderId: 'call_a', number: 2 },
      ])
      expect(await calls.listExpiredLeases(NOON + 9, 1)).toEqual([{ orderId: 'call_b', number: 2 }])
      expect(await calls.listExpiredLeases(NOON - 1, 10)).toEqual([])
    })

    test('the end of an attempt ends its lease', async () => {
      const attempt = sampleAttempt({ leaseUntil: NOON })
      await expectSaved(calls, { attempt: { before: null, after: attempt } })
      const ended = { ...endedAttempt(), version: 2 }
      await expectSaved(calls, { attempt: { before: attempt, after: ended } })
      expect(await calls.listExpiredLeases(NOON + 9, 10)).toEqual([])
      expect(await calls.extendLease('call_1', 1, 0, NOON + 99)).toBe(false)
      expect(await calls.findAttempt('call_1', 1)).toEqual(ended)
    })

    test('only the fence that owns the attempt extends its lease', async () => {
      const attempt = sampleAttempt({ fence: 2, leaseUntil: NOON })
      await expectSaved(calls, { attempt: { before: null, after: attempt } })
      expect(await calls.extendLease('call_1', 1, 1, NOON + 9)).toBe(false)
      expect(await calls.extendLease('call_1', 1, 3, NOON + 9)).toBe(false)
      expect(await calls.extendLease('call_1', 2, 2, NOON + 9)).toBe(false)
      expect(await calls.listExpiredLeases(NOON, 10)).toHaveLength(1)
      expect(await calls.extendLease('call_1', 1, 2, NOON + 9)).toBe(true)
      expect(await calls.listExpiredLeases(NOON + 8, 10)).toEqual([])
      expect(await calls.findAttempt('call_1', 1)).toEqual({
        ...attempt,
        leaseUntil: NOON + 9,
        version: 2,
      })
    })

    test('whoever decided on the old lease must look again', async () => {
      const attempt = sampleAttempt({ leaseUntil: NOON })
      await expectSaved(calls, { attempt: { before: null, after: attempt } })
      expect(await calls.extendLease('call_1', 1, 0, NOON + 9)).toBe(true)
      const given = { before: attempt, after: next(attempt, { leaseUntil: null, status: 'error' }) }
      expect(await calls.save({ attempt: given, effects: [] })).toEqual({ kind: 'conflict' })
    })
  })

  describe('live transcript', () => {
    const lines: TranscriptEntry[] = Array.from({ length: 12 }, (_, index) => ({
      role: 'tool',
      content: `line ${index} ✓`,
      toolArguments: { huge: 1e300 },
    }))

    test('its lines stand in a live attempt, in order, once each', async () => {
      const attempt = sampleAttempt()
      const other = sampleAttempt({ number: 2 })
      await expectSaved(calls, {
        order: { before: null, after: sampleOrder() },
        attempt: { before: null, after: attempt },
      })
      await expectSaved(calls, { attempt: { before: null, after: other } })
      for (const index of [1, 0, 2, 1, 11, 10, 3, 4, 5, 6, 7, 8, 9]) {
        await calls.appendTranscript('call_1', 1, index, lines[index] as TranscriptEntry)
      }
      const spoken = { ...attempt, transcript: lines }
      expect(await calls.findAttempt('call_1', 1)).toEqual(spoken)
      expect((await calls.findCall('call_1'))?.attempts).toEqual([spoken, other])
    })

    test('the report at the end replaces them', async () => {
      const attempt = sampleAttempt()
      await expectSaved(calls, { attempt: { before: null, after: attempt } })
      await calls.appendTranscript('call_1', 1, 0, lines[0] as TranscriptEntry)
      const ended = { ...endedAttempt(), version: 2 }
      await expectSaved(calls, { attempt: { before: attempt, after: ended } })
      expect(await calls.findAttempt('call_1', 1)).toEqual(ended)
    })

    test('they are kept when an attempt ends without a report', async () => {
      await expectSaved(calls, { attempt: { before: null, after: sampleAttempt() } })
      await calls.appendTranscript('call_1', 1, 0, lines[0] as TranscriptEntry)
      const read = await calls.findAttempt('call_1', 1)
      if (read === null) throw new Error('not stored')
      const ringing = next(read, { status: 'ringing' })
      await expectSaved(calls, { attempt: { before: read, after: ringing } })
      await calls.appendTranscript('call_1', 1, 1, lines[1] as TranscriptEntry)
      const reread = await calls.findAttempt('call_1', 1)
      if (reread === null) throw new Error('not stored')
      const ended = next(reread, { status: 'completed', leaseUntil: null, endedAt: NOON })
      await expectSaved(calls, { attempt: { before: reread, after: ended } })
      expect((await calls.findAttempt('call_1', 1))?.transcript).toEqual(lines.slice(0, 2))
    })
  })
}

function effect(id: string, createdAt: number): StoredEffect {
  const asked: OutboxEffect = { kind: 'startAttempt', orderId: 'call_1', number: 1 }
  return { id, orderId: 'call_1', effect: asked, createdAt }
}

/** 60 turns, each with the prompt it was made with. */
function withPrompts(prompt: (turn: number) => string) {
  const speechEvents = Array.from({ length: 60 }, (_, turn) => sampleSpeech(turn, prompt(turn)))
  return endedAttempt({ speechEvents })
}
