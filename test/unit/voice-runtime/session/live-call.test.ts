import { describe, expect, it } from 'vitest'

import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import type { CallTrace } from '#shared/ports/traces.ts'
import type { SessionEnd } from '#shared/use-cases/finish-session.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { anOrder } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { startLiveCall } from '#voice/session/live-call.ts'
import type { LiveCallDeps } from '#voice/session/live-call.ts'

import { liveScriptedMedia } from '../media-worker/live-scripted-media.ts'
import { ManualTime } from './manual-time.ts'
import { ScriptedCallee, ScriptedRecogniser } from './scripted-callee.ts'
import {
  collectingLogger,
  ScriptedModel,
  ScriptedVoice,
  noRealtimeModel,
} from './scripted-vendors.ts'

const SERVICE_TIME = 1_768_392_000_000
const ADOPTED = {
  kind: 'adopted',
  order: anOrder(),
  attempt: anAttempt(),
  assistant: assistantSettings({ firstSentence: 'Hello.', firstSentenceMode: 'static' }),
  fence: 7,
} as const

/** One arrival of media, and everything that was stored because of it. */
function stageArrival(changes: Partial<LiveCallDeps> = {}) {
  const time = new ManualTime()
  const callee = new ScriptedCallee(time)
  const logger = collectingLogger()
  const leases: [string, number, number, number][] = []
  const lines: [number, TranscriptEntry][] = []
  const stored: [string, number][] = []
  const reports: SessionEnd[] = []
  const hungUp: string[] = []
  let ids = 0
  let isEnded = false
  const call = startLiveCall(
    {
      speechToText: new ScriptedRecogniser(callee),
      textToSpeech: new ScriptedVoice(time),
      languageModel: new ScriptedModel(time, []),
      realtimeModel: noRealtimeModel,
      toolsOf: () => ({ call: async () => ({ output: '', isError: false }) }),
      suppressNumber: async () => {},
      timers: time,
      clock: { now: () => SERVICE_TIME + time.now() },
      mediaClock: time,
      logger,
      ids: { next: (prefix) => `${prefix}_${(ids += 1)}`, random: () => 0.5 },
      adoptAttempt: async () => ADOPTED,
      finishSession: async (end) => {
        reports.push(end)
        return { kind: 'changed', order: ADOPTED.order, attempt: ADOPTED.attempt }
      },
      calls: {
        async extendLease(...lease) {
          leases.push(lease)
          return true
        },
        appendTranscript: async (_orderId, _number, index, entry) =>
          void lines.push([index, entry]),
      },
      recordings: { put: async (key, wav) => void stored.push([key, wav.bytes]) },
      telephony: { hangUp: async (carrierCallId) => void hungUp.push(carrierCallId) },
      ...changes,
    },
    { orderId: 'call_1', number: 1, media: liveScriptedMedia(time, callee) },
  )
  void call.ended.then(() => (isEnded = true))
  const end = () => time.passUntil(() => isEnded)
  return { time, callee, logger, leases, lines, stored, reports, hungUp, call, end }
}

/** Fails so many times before it does what it should. */
function flaky<A extends unknown[], R>(failures: number, run: (...args: A) => Promise<R>) {
  let left = failures
  return async (...args: A): Promise<R> => {
    left -= 1
    if (left >= 0) throw new Error('scripted')
    return run(...args)
  }
}

describe('a live call', () => {
  it('is reported under its fence when it ends, with its recording', async () => {
    const stage = stageArrival()
    stage.callee.say('hello')
    await stage.time.pass(5_000)
    stage.callee.hangUp()
    await stage.end()
    expect(stage.reports).toMatchObject([
      {
        orderId: 'call_1',
        number: 1,
        fence: 7,
        at: SERVICE_TIME + 5_000,
        result: 'human',
        endedBy: 'user',
        endReason: null,
        recordingKey: 'call_1/1-7.wav',
      },
    ])
    expect(stage.stored.map(([key]) => key)).toEqual(['call_1/1-7.wav', 'call_1/1-7.history.jsonl'])
    // Stereo, 8 bytes a ms.
    expect(stage.stored[0]?.[1]).toBeGreaterThanOrEqual(5_000 * 2 * 8)
    expect(stage.reports[0]?.transcript.map((entry) => entry.content)).toEqual(['hello', 'Hello.'])
  })

  it('stores every line while it runs, numbered from 0', async () => {
    const stage = stageArrival()
    stage.callee.say('hello')
    await stage.time.pass(5_000)
    expect(stage.lines.map(([index, entry]) => [index, entry.content])).toEqual([
      [0, 'hello'],
      [1, 'Hello.'],
    ])
  })

  it('puts a number on the do-not-call list while the call still lasts, however the store fails', async () => {
    const suppressed: unknown[] = []
    const stage = stageArrival({
      suppressNumber: flaky(1, async (input: unknown) => void suppressed.push(input)),
    })
    stage.callee.say('hello')
    await stage.time.pass(5_000)
    stage.callee.say('please never call me again')
    await stage.time.pass(6_000)
    expect(suppressed).toEqual([
      {
        organizationId: ADOPTED.order.organizationId,
        phoneNumber: ADOPTED.attempt.phoneNumber,
        reason: `asked for in call ${ADOPTED.order.id}`,
      },
    ])
    expect(stage.reports).toEqual([])
  })

  it('prolongs its lease every 10 s, and no longer than it lasts', async () => {
    const stage = stageArrival()
    await stage.time.pass(21_000)
    expect(stage.leases).toEqual([
      ['call_1', 1, 7, SERVICE_TIME + 40_000],
      ['call_1', 1, 7, SERVICE_TIME + 50_000],
    ])
    stage.callee.hangUp()
    await stage.end()
    await stage.time.pass(20_000)
    expect(stage.leases).toHaveLength(2)
    expect(stage.time.waiting).toBe(0)
  })

  it('survives a lease that could not be prolonged once', async () => {
    const stage = stageArrival({
      calls: {
        extendLease: flaky(1, async () => true),
        appendTranscript: async () => undefined,
      },
    })
    await stage.time.pass(15_000)
    expect(stage.callee.isClosed).toBe(false)
  })

  it('ends without a word or a report when its lease belongs to somebody else', async () => {
    const stage = stageArrival({
      calls: { extendLease: async () => false, appendTranscript: async () => undefined },
    })
    await stage.end()
    expect(stage.time.now()).toBeLessThan(10_100)
    expect(stage.callee.isClosed).toBe(true)
    expect([stage.reports, stage.stored, stage.hungUp]).toEqual([[], [], []])
  })

  it('is not begun when the attempt is not wanted', async () => {
    const stage = stageArrival({
      adoptAttempt: async () => ({ kind: 'refused', reason: 'it has ended' }),
    })
    await stage.end()
    expect(stage.callee.isClosed).toBe(true)
    expect(stage.reports).toEqual([])
  })

  it('asks again when the table does not answer', async () => {
    const stage = stageArrival({ adoptAttempt: flaky(3, async () => ADOPTED) })
    await stage.time.pass(2_000)
    stage.callee.hangUp()
    await stage.end()
    expect(stage.reports).toHaveLength(1)
  })

  it('closes the channel when the table does not answer at all', async () => {
    const stage = stageArrival({ adoptAttempt: () => Promise.reject(new Error('scripted')) })
    await stage.end()
    expect(stage.callee.isClosed).toBe(true)
    expect(stage.logger.messages).toContain('a live call failed')
  })

  it('tells where its time went', async () => {
    const traces: CallTrace[] = []
    const stage = stageArrival({ traces: { export: (trace) => void traces.push(trace) } })
    stage.callee.say('hello')
    await stage.time.pass(5_000)
    stage.callee.hangUp()
    await stage.end()
    expect(traces).toMatchObject([{ orderId: 'call_1', number: 1, startedAt: SERVICE_TIME }])
    const [call, ...turns] = traces[0]!.spans
    expect(call).toMatchObject({
      startAtMs: 0,
      endAtMs: 5_000,
      attributes: { 'call.result': 'human', 'call.ended_by': 'user', 'call.end_reason': 'none' },
    })
    expect(turns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['user turn', 'agent turn']),
    )
  })

  it('is reported without a recording when that cannot be stored', async () => {
    const stage = stageArrival({
      recordings: { put: () => Promise.reject(new Error('scripted')) },
    })
    stage.callee.hangUp()
    await stage.end()
    expect(stage.reports).toMatchObject([{ recordingKey: null }])
  })

  it('hangs up at the carrier when asked to end', async () => {
    const stage = stageArrival()
    stage.callee.say('hello')
    await stage.time.pass(5_000)
    stage.call.requestEnd()
    await stage.end()
    expect(stage.hungUp).toEqual(['CA1'])
    expect(stage.callee.isClosed).toBe(true)
    expect(stage.reports).toMatchObject([{ endReason: 'participant_removed' }])
  })

  it('can be asked to end before it was adopted', async () => {
    const stage = stageArrival({ adoptAttempt: flaky(1, async () => ADOPTED) })
    stage.call.requestEnd()
    await stage.end()
    expect(stage.reports).toMatchObject([{ endReason: 'participant_removed' }])
  })
})
