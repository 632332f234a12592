import { once } from 'node:events'

import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { SessionEnd } from '#shared/use-cases/finish-session.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { anOrder } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { liveScriptedMedia } from '#test/unit/voice-runtime/media-worker/live-scripted-media.ts'
import { ManualTime } from '#test/unit/voice-runtime/session/manual-time.ts'
import {
  collectingLogger,
  ScriptedModel,
  ScriptedVoice,
  noRealtimeModel,
} from '#test/unit/voice-runtime/session/scripted-vendors.ts'
import type { OpenEntrance } from '#voice/media-worker/media-entrance.ts'
import { startMediaServer } from '#voice/media-worker/media-server.ts'
import { startVoiceRuntime } from '#voice/session/runtime.ts'
import type { CallStartConsumer, VoiceRuntime, VoiceRuntimeDeps } from '#voice/session/runtime.ts'

const START = {
  event: 'start',
  streamSid: 'MZ1',
  start: {
    streamSid: 'MZ1',
    callSid: 'CA1',
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
}

const NEVER_LATE = { frames: 0, p99Ms: 0, maxMs: 0 }

/** An entrance in this thread, and in the time of the test. */
function entranceHere(time: ManualTime, lateness = () => NEVER_LATE): OpenEntrance {
  return async ({ verify, onArrival, ...config }) => {
    const server = await startMediaServer(
      {
        clock: time,
        timers: time,
        logger: collectingLogger(),
        verify: async (token) => verify(token),
      },
      config,
      (call, channel) => onArrival({ ...call, media: liveScriptedMedia(time, channel) }),
    )
    const lost = new Promise<void>(() => undefined)
    return { port: server.port, lateness, lost, close: () => server.close() }
  }
}

/** A runtime with two places, whose time stands still until the test moves it; its sockets are real. */
async function startStage(changes: Partial<VoiceRuntimeDeps> = {}) {
  const time = new ManualTime()
  const dialled: string[] = []
  const adopted: string[] = []
  const reports: SessionEnd[] = []
  /** Of which the table says that they are over, or held elsewhere. */
  const attempts = new Map<string, Partial<CallAttempt>>()
  let consumer: CallStartConsumer | null = null
  let isPulling = true
  let ids = 0
  const deaf = { write: () => undefined, finalize: () => undefined, close: () => undefined }
  const runtime = await startVoiceRuntime(
    {
      speechToText: { open: () => deaf },
      textToSpeech: new ScriptedVoice(time),
      languageModel: new ScriptedModel(time, []),
      realtimeModel: noRealtimeModel,
      openEntrance: entranceHere(time),
      toolsOf: () => ({ call: async () => ({ output: '', isError: false }) }),
      suppressNumber: async () => {},
      timers: time,
      clock: time,
      mediaClock: time,
      logger: collectingLogger(),
      ids: { next: (prefix) => `${prefix}_${(ids += 1)}`, random: () => 0.5 },
      pull(given) {
        consumer = given
        return { stop: () => (isPulling = false) }
      },
      async startAttempt(input) {
        dialled.push(input.mediaUrl)
        return 'dialled'
      },
      async adoptAttempt({ orderId, number }) {
        adopted.push(`${orderId} ${number}`)
        return {
          kind: 'adopted',
          order: anOrder(),
          attempt: anAttempt(),
          assistant: assistantSettings(),
          fence: 1,
        }
      },
      async finishSession(end) {
        reports.push(end)
        return { kind: 'ignored', reason: 'a test' }
      },
      calls: {
        extendLease: async () => true,
        appendTranscript: async () => undefined,
        findAttempt: async (orderId) => anAttempt({ fence: 0, ...attempts.get(orderId) }),
      },
      recordings: { put: async () => undefined },
      telephony: { hangUp: async () => undefined },
      ...changes,
    },
    {
      owner: 'runtime-1',
      maxSessions: 2,
      maxLatenessMs: 10,
      maxLoopDelayMs: Infinity,
      host: '127.0.0.1',
      port: 0,
      mediaBaseUrl: null,
      mediaTokenSecret: 'a secret of the test',
      drainMs: 5_000,
    },
  )
  if (consumer === null) throw new Error('the runtime does not pull')
  return {
    time,
    runtime,
    dialled,
    adopted,
    reports,
    attempts,
    consumer: consumer as CallStartConsumer,
    isPulling: () => isPulling,
  }
}

/** Brings the media of a call, as a carrier does when it was answered. */
async function answer(mediaUrl: string | undefined): Promise<WebSocket> {
  const socket = new WebSocket(mediaUrl ?? '')
  await once(socket, 'open')
  socket.send(JSON.stringify(START))
  return socket
}

/** Lets sockets move until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

let runtime: VoiceRuntime | null = null
let time = new ManualTime()
afterEach(async () => {
  if (runtime !== null) await drained(runtime, time)
})

async function drained(runtime: VoiceRuntime, time: ManualTime): Promise<void> {
  const progress = { isOver: false }
  void runtime.drain().then(() => (progress.isOver = true))
  while (!progress.isOver) {
    await time.pass(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function start(changes: Partial<VoiceRuntimeDeps> = {}) {
  const stage = await startStage(changes)
  runtime = stage.runtime
  time = stage.time
  return stage
}

describe('the voice runtime', () => {
  it('holds the call whose media comes to the URL that it was dialled with', async () => {
    const stage = await start()
    await stage.consumer.handle({ orderId: 'call_1', number: 3 })
    const socket = await answer(stage.dialled[0])
    await until(() => stage.runtime.liveCalls() === 1)
    expect(stage.adopted).toEqual(['call_1 3'])
    socket.send(JSON.stringify({ event: 'stop' }))
    await until(() => stage.runtime.liveCalls() === 0)
    expect(stage.reports).toMatchObject([{ orderId: 'call_1', number: 3, endedBy: 'user' }])
  })

  it('has room for as many calls as it dials or holds', async () => {
    const stage = await start()
    expect(stage.consumer.free()).toBe(2)
    await stage.consumer.handle({ orderId: 'call_1', number: 1 })
    expect(stage.consumer.free()).toBe(1)
    await stage.consumer.handle({ orderId: 'call_2', number: 1 })
    // Both ring for long.
    await stage.time.pass(50_000)
    expect(stage.consumer.free()).toBe(0)
    const socket = await answer(stage.dialled[0])
    await until(() => stage.runtime.liveCalls() === 1)
    expect(stage.consumer.free()).toBe(0)
    stage.attempts.set('call_2', { status: 'error', endedAt: 1 })
    await stage.time.pass(2_000)
    expect(stage.consumer.free()).toBe(1)
    socket.terminate()
    await until(() => stage.consumer.free() === 2)
  })

  it('starts nothing while its frames are late', async () => {
    let p99Ms = 0
    const openEntrance = entranceHere(new ManualTime(), () => ({ ...NEVER_LATE, p99Ms }))
    const stage = await start({ openEntrance })
    expect(stage.consumer.free()).toBe(2)
    p99Ms = 10.5
    expect(stage.consumer.free()).toBe(0)
    p99Ms = 9
    expect(stage.consumer.free()).toBe(2)
  })

  it('keeps no place for a call whose media went to another process', async () => {
    const stage = await start()
    await stage.consumer.handle({ orderId: 'call_1', number: 1 })
    stage.attempts.set('call_1', { status: 'ongoing', fence: 1 })
    await stage.time.pass(2_000)
    expect(stage.consumer.free()).toBe(2)
    await stage.time.pass(2_000)
    expect(stage.time.waiting).toBe(0)
  })

  it('keeps the place when the table does not answer', async () => {
    const calls = {
      extendLease: async () => true,
      appendTranscript: async () => undefined,
      findAttempt: () => Promise.reject(new Error('scripted')),
    }
    const stage = await start({ calls })
    await stage.consumer.handle({ orderId: 'call_1', number: 1 })
    await stage.time.pass(10_000)
    expect(stage.consumer.free()).toBe(1)
  })

  it('does not wait for a phone that rings when it drains', async () => {
    const stage = await start()
    await stage.consumer.handle({ orderId: 'call_1', number: 1 })
    await stage.runtime.drain()
    expect(stage.time.now()).toBe(0)
    runtime = null
  })

  it('keeps no place for an attempt that was not dialled, and wants a failed message again', async () => {
    const stage = await start({
      async startAttempt({ orderId, number }) {
        if (number === 2) throw new Error('scripted')
        return orderId === 'call_1' ? 'passed' : 'refused'
      },
    })
    await stage.consumer.handle({ orderId: 'call_1', number: 1 })
    await stage.consumer.handle({ orderId: 'call_2', number: 1 })
    await expect(stage.consumer.handle({ orderId: 'call_1', number: 2 })).rejects.toThrow(
      'scripted',
    )
    expect(stage.consumer.free()).toBe(2)
  })

  it('lets answered calls go on while it drains, then ends them', async () => {
    const stage = await start()
    await stage.consumer.handle({ orderId: 'call_1', number: 1 })
    const socket = await answer(stage.dialled[0])
    await until(() => stage.runtime.liveCalls() === 1)
    let isDrained = false
    void stage.runtime.drain().then(() => (isDrained = true))
    expect(stage.isPulling()).toBe(false)
    await stage.time.pass(4_900)
    expect(stage.runtime.liveCalls()).toBe(1)
    const closed = once(socket, 'close')
    await stage.time.pass(2_000)
    await until(() => isDrained)
    await closed
    expect(stage.reports).toMatchObject([{ endReason: 'participant_removed' }])
    runtime = null
    await expect(answer(stage.dialled[0])).rejects.toThrow('ECONNREFUSED')
  })
})
