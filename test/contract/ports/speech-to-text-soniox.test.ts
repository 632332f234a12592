import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { sonioxSpeechToText } from '#shared/adapters/stt/soniox.ts'
import type { SonioxOptions } from '#shared/adapters/stt/soniox.ts'
import { DEFAULT_SOCKET_LIMITS } from '#shared/adapters/websocket/vendor-socket.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { SttEvent, SttOptions } from '#shared/ports/speech-to-text.ts'
import { SONIOX_KEY, startFakeSoniox } from '#test/support/fakes/fake-soniox.ts'
import type { FakeSoniox } from '#test/support/fakes/fake-soniox.ts'
import { Happenings } from '#test/support/fakes/happenings.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { carrierFrames, overTheLine, silence } from '#test/support/telephone-line.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

const OPTIONS: SttOptions = {
  model: 'stt-rt-v5',
  languageHints: ['fr', 'en'],
  context: { general: [{ key: 'topic', value: 'teeth' }], terms: ['Okafor'] },
  reference: 'ses_1',
}
const BEAT_MS = 5_000
const GOODBYE = carrierFrames(overTheLine(readCalleeClips().get('goodbye')!, { after: 8_000 }))

let fake: FakeSoniox
const fakeTimers = manualTimers()
beforeAll(async () => {
  fake = await startFakeSoniox({ timers: fakeTimers })
})
afterAll(() => fake[Symbol.asyncDispose]())

/** One stream to the fake, and all that comes of it. */
function open(changes: Partial<SonioxOptions> = {}, request: Partial<SttOptions> = {}) {
  const timers = manualTimers()
  const logger = collectingLogger()
  const events: SttEvent[] = []
  const happenings = new Happenings()
  const index = fake.connections.length
  const stream = sonioxSpeechToText({
    apiKey: SONIOX_KEY,
    url: fake.url,
    timers,
    logger,
    ...changes,
  }).open({ ...OPTIONS, ...request }, (event) => {
    events.push(event)
    happenings.note()
  })
  return {
    timers,
    logger,
    events,
    stream,
    connection: () => fake.connections[index],
    connected: () => fake.until(() => (fake.connections[index]?.received.length ?? 0) > 0),
    happened: (type: SttEvent['type']) =>
      happenings.until(() => events.some((event) => event.type === type)),
    say: (frames: readonly Uint8Array[]) => {
      for (const frame of frames) stream.write(frame)
    },
  }
}

async function failureOf(call: ReturnType<typeof open>): Promise<AdapterError> {
  await call.happened('failed')
  const failed = call.events.at(-1)
  expect(failed?.type).toBe('failed')
  const { error } = failed as { error: unknown }
  expect(error).toBeInstanceOf(AdapterError)
  return error as AdapterError
}

describe('a stream of stt-rt', () => {
  it('begins with what the assistant wants', async () => {
    const call = open({ maxEndpointDelayMs: 1_000 }, { reference: 'r'.repeat(300) })
    await call.connected()
    expect(call.connection()?.received[0]).toEqual({
      api_key: SONIOX_KEY,
      model: 'stt-rt-v5',
      audio_format: 'mulaw',
      sample_rate: 8_000,
      num_channels: 1,
      language_hints: ['fr', 'en'],
      enable_endpoint_detection: true,
      max_endpoint_delay_ms: 1_000,
      client_reference_id: 'r'.repeat(256),
      context: { general: [{ key: 'topic', value: 'teeth' }], terms: ['Okafor'] },
    })
    call.stream.close()
  })

  it('says nothing of what the assistant does not say', async () => {
    const call = open(
      {},
      { model: 'stt-rt-v4', languageHints: [], context: { general: [], terms: [] } },
    )
    await call.connected()
    expect(call.connection()?.received[0]).toMatchObject({ model: 'stt-rt-v4' })
    expect(Object.keys(call.connection()?.received[0] as object)).not.toContain('context')
    expect(Object.keys(call.connection()?.received[0] as object)).not.toContain('language_hints')
    call.stream.close()
  })

  it('may send several frames at once, all of them before it asks for a final text', async () => {
    const call = open({ framesPerMessage: 4 })
    call.say(carrierFrames(silence(120)))
    await fake.until(() => call.connection()?.binaryBytes === 4 * 160)
    call.stream.finalize()
    await fake.until(() => call.connection()?.binaryBytes === 6 * 160)
    await fake.until(() => call.connection()?.received.length === 2)
    call.stream.close()
  })

  it('is kept alive while there is no audio', async () => {
    const call = open()
    await call.connected()
    call.say(carrierFrames(silence(20)))
    call.timers.fire(BEAT_MS)
    call.timers.fire(BEAT_MS)
    await fake.until(() => call.connection()?.received.length === 2)
    expect(call.connection()?.received[1]).toEqual({ type: 'keepalive' })
    call.stream.close()
    await fake.until(() => fake.openSockets() === 0)
    expect(call.timers.waiting()).toEqual([])
  })

  it('ends with the end of the audio', async () => {
    const call = open()
    await call.connected()
    call.stream.close()
    await fake.until(() => call.connection()?.received.at(-1) === '')
    await fake.until(() => fake.openSockets() === 0)
    expect(call.events).toEqual([])
  })
})

describe('what goes wrong with stt-rt', () => {
  it.each([
    [400, false],
    [401, false],
    [402, false],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
  ])('error %i: worth another stream %s', async (code, retryable) => {
    fake.fail({ kind: 'error', code })
    const call = open()
    expect(await failureOf(call)).toMatchObject({ status: code, retryable })
    await fake.until(() => fake.openSockets() === 0)
    expect(call.timers.waiting()).toEqual([])
  })

  it.each([
    [401, false],
    [404, false],
    [429, true],
    [503, true],
  ])('refused with HTTP %i: worth another stream %s', async (status, retryable) => {
    fake.fail({ kind: 'refuse', status })
    expect(await failureOf(open())).toMatchObject({ status, retryable })
  })

  it('a wrong key is told so', async () => {
    const error = await failureOf(open({ apiKey: 'wrong' }))
    expect(error).toMatchObject({ status: 401, retryable: false })
    expect(error.message).not.toContain('wrong')
  })

  it('nobody listens', async () => {
    expect(await failureOf(open({ url: 'ws://127.0.0.1:1' }))).toMatchObject({ retryable: true })
  })

  it('the connection drops in the middle of a word, and fails once', async () => {
    fake.fail({ kind: 'drop', afterMs: 600 })
    const call = open()
    call.say(GOODBYE)
    expect((await failureOf(call)).retryable).toBe(true)
    call.say(GOODBYE)
    call.stream.close()
    expect(call.events.filter((event) => event.type === 'failed')).toHaveLength(1)
  })

  it('garbage is passed over, complained about once, and never shown in the log', async () => {
    fake.fail({ kind: 'garbage', afterMs: 40 })
    const call = open()
    call.say(GOODBYE)
    await call.happened('final')
    expect(call.events.filter((event) => event.type === 'failed')).toEqual([])
    expect(call.events).toContainEqual(expect.objectContaining({ type: 'final', text: 'Goodbye.' }))
    expect(call.logger.messages).toEqual(['a vendor sent a message that makes no sense'])
    call.stream.close()
  })

  it('a vendor that never answers is asked, then given up', async () => {
    fake.fail({ kind: 'mute' })
    const call = open()
    await call.connected()
    for (let beat = 1; beat <= 5; beat += 1) {
      call.say(carrierFrames(silence(20)))
      call.timers.fire(BEAT_MS)
      if (beat === 3) {
        await fake.until(() => call.connection()?.received.length === 2)
        expect(call.connection()?.received[1]).toEqual({ type: 'finalize' })
      }
    }
    expect((await failureOf(call)).message).toBe('the recogniser was silent')
  })

  it('a peer that is gone without a word is noticed', async () => {
    const call = open()
    await call.connected()
    // The ping is answered or not; at the second one it must have been.
    call.timers.fire(DEFAULT_SOCKET_LIMITS.pingEveryMs)
    call.timers.fire(DEFAULT_SOCKET_LIMITS.pingEveryMs)
    expect((await failureOf(call)).retryable).toBe(true)
  })

  it('a vendor that reads too slowly is given up before the memory is full', async () => {
    const limits = { ...DEFAULT_SOCKET_LIMITS, maxUnsentBytes: 10_000 }
    const call = open({ limits })
    call.say(carrierFrames(silence(2_000)))
    expect((await failureOf(call)).retryable).toBe(true)
  })

  it('the fake cuts off a client that goes silent, as the vendor does', async () => {
    const call = open()
    await call.connected()
    fakeTimers.fire(20_000)
    expect(await failureOf(call)).toMatchObject({ status: 408, retryable: true })
  })
})
