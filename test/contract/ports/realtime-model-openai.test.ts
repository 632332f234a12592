import { afterEach, describe, expect, it } from 'vitest'

import { openAiRealtime } from '#shared/adapters/realtime/openai-realtime.ts'
import type { OpenAiRealtimeOptions } from '#shared/adapters/realtime/openai-realtime.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { RealtimeOptions } from '#shared/ports/realtime-model.ts'
import { OPENAI_KEY, startFakeOpenAiRealtime } from '#test/support/fakes/fake-openai-realtime.ts'
import type { FakeRealtime, RealtimeFault } from '#test/support/fakes/fake-openai-realtime.ts'
import { SpeechGate } from '#test/support/fakes/speech-gate.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

import { Conversation, TOOL } from './realtime-model-suite.ts'

const READY_MS = 5_000
const SESSION_MS = 60 * 60_000
const started: AsyncDisposable[] = []
afterEach(async () => {
  for (const fake of started.splice(0)) await fake[Symbol.asyncDispose]()
})

async function open(
  options: {
    readonly faults?: readonly RealtimeFault[]
    readonly adapter?: Partial<OpenAiRealtimeOptions>
    readonly request?: Partial<RealtimeOptions>
  } = {},
) {
  const gate = new SpeechGate()
  const fakeTimers = manualTimers()
  const fake: FakeRealtime = await startFakeOpenAiRealtime({ pace: gate.pace, timers: fakeTimers })
  started.push(fake)
  fake.fail(...(options.faults ?? []))
  const timers = manualTimers()
  const logger = collectingLogger()
  const model = openAiRealtime({
    apiKey: OPENAI_KEY,
    url: fake.url,
    timers,
    logger,
    ...options.adapter,
  })
  const call = new Conversation(model, 'realtime_provider_1', options.request)
  return { fake, fakeTimers, gate, timers, logger, call }
}

async function errorOf(call: Conversation): Promise<AdapterError> {
  await call.happened('failed')
  const [{ error }] = call.of('failed') as unknown as [{ error: unknown }]
  expect(error).toBeInstanceOf(AdapterError)
  return error as AdapterError
}

describe('a session of realtime_provider_1', () => {
  it('is configured as the assistant wants it', async () => {
    const { fake, call } = await open({
      request: {
        model: {
          type: 'realtime',
          provider: 'realtime_provider_1',
          realtimeModelId: 'gpt realtime',
          realtimeVoiceId: 'cedar',
        },
        languageHints: ['fr', 'en'],
        history: [
          { role: 'user', content: 'Hello?' },
          { role: 'assistant', content: 'Good morning.' },
        ],
      },
    })
    await call.happened('ready')
    await fake.until(() => fake.remembered().length === 2)
    const format = { type: 'audio/pcmu' }
    expect(fake.connections[0]?.query.get('model')).toBe('gpt realtime')
    expect(fake.connections[0]?.received[0]).toEqual({
      type: 'session.update',
      session: {
        type: 'realtime',
        instructions: 'You are Nora.',
        output_modalities: ['audio'],
        audio: {
          input: {
            format,
            transcription: { model: 'gpt-4o-transcribe', language: 'fr' },
            turn_detection: { type: 'server_vad', create_response: true, interrupt_response: true },
          },
          output: { format, voice: 'cedar' },
        },
        tools: [{ type: 'function', ...TOOL }],
        tool_choice: 'auto',
      },
    })
    expect(fake.remembered()).toMatchObject([
      { role: 'user', text: 'Hello?' },
      { role: 'assistant', text: 'Good morning.' },
    ])
    call.stream.close()
  })

  it('tells when the caller speaks, by the audio', async () => {
    const { call } = await open()
    call.say('goodbye')
    await call.happened('utteranceDone')
    const [from] = call.of('speechStarted')
    const [to] = call.of('speechStopped')
    expect(from?.atMs).toBeGreaterThan(300)
    expect(to?.atMs).toBeGreaterThan(from?.atMs ?? Infinity)
    call.stream.close()
  })

  it.each([
    [700, 700],
    [1e9, 3_560],
    [-3, 0],
  ])('remembers %i ms of an answer that was cut as %i', async (heardMs, expected) => {
    const { fake, call } = await open()
    call.stream.respond('Say: one two three four five six seven eight nine ten')
    await call.happened('utteranceDone')
    const [{ utterance }] = call.of('utteranceDone') as unknown as [{ utterance: string }]
    call.stream.cut(utterance, heardMs)
    call.stream.cut(utterance, 1)
    await fake.until(() => fake.remembered()[0]?.heardMs !== null)
    expect(fake.remembered()[0]?.heardMs).toBe(expected)
    const cancelled = fake.connections[0]?.received.filter(
      (frame) => (frame as { type: string }).type === 'response.cancel',
    )
    expect(cancelled).toEqual([])
    call.stream.close()
  })

  it('stops saying what was cut, and says what it is asked for next', async () => {
    const { fake, gate, call, logger } = await open()
    gate.allow(3)
    call.stream.respond('Say: one two three four five')
    await call.happened('audio')
    call.stream.cut(call.of('audio')[0]?.utterance ?? '', 100)
    call.stream.respond('Say: six')
    gate.open()
    await call.until(() => call.written().includes('six'))
    await call.happened('utteranceDone')
    expect(call.spokenAs((name) => name !== call.of('audio')[0]?.utterance)).toBe('six')
    expect(fake.connections[0]?.received).toContainEqual({ type: 'response.cancel' })
    expect(logger.messages).toEqual([])
    call.stream.close()
  })

  it('says one thing after the other, also when the vendor was quicker', async () => {
    const { gate, call, logger } = await open()
    gate.allow(2)
    call.say('goodbye')
    // At the vendor an answer is being made, of which nothing has come yet.
    call.stream.respond('Say: Are you there?')
    await call.until(() => call.of('userText').some(({ isFinal }) => isFinal))
    gate.open()
    await call.happened('utteranceDone', 2)
    expect(call.spoken()).toBe('You said Goodbye. Are you there?')
    expect(logger.messages).toEqual([])
    call.stream.close()
  })
})

describe('what goes wrong with realtime_provider_1', () => {
  it.each([
    [401, false],
    [429, true],
    [503, true],
  ])('refused with HTTP %i: worth another stream %s', async (status, retryable) => {
    const { call, timers } = await open({ faults: [{ kind: 'refuse', status }] })
    expect(await errorOf(call)).toMatchObject({ status, retryable })
    expect(timers.waiting()).toEqual([])
  })

  it('a wrong key is not shown', async () => {
    const { call } = await open({ adapter: { apiKey: 'wrong' } })
    const error = await errorOf(call)
    expect(error).toMatchObject({ status: 401, retryable: false })
    expect(error.message).not.toContain('wrong')
  })

  it('a session that is never ready is given up', async () => {
    const { fake, call, timers } = await open({ faults: [{ kind: 'mute' }] })
    await fake.until(() => fake.connections[0]?.received.length === 1)
    timers.fire(READY_MS)
    expect((await errorOf(call)).retryable).toBe(true)
    await fake.until(() => fake.openSockets() === 0)
    expect(timers.waiting()).toEqual([])
  })

  it('a connection that drops in the middle of a word fails once', async () => {
    const { call } = await open({ faults: [{ kind: 'drop', afterWords: 1 }] })
    call.stream.respond('Say: one two three')
    expect((await errorOf(call)).retryable).toBe(true)
    call.stream.respond('Say: four')
    call.stream.close()
    expect(call.of('failed')).toHaveLength(1)
  })

  it('an answer that fails is told, and the next one comes', async () => {
    const { call } = await open({ faults: [{ kind: 'fail', afterWords: 1 }] })
    call.stream.respond('Say: one two three')
    await call.happened('answerFailed')
    call.stream.respond('Say: four')
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('one four')
    call.stream.close()
  })

  it('garbage is passed over, complained about, and never shown in the log', async () => {
    const { call, logger } = await open({ faults: [{ kind: 'garbage', afterWords: 1 }] })
    call.stream.respond('Say: one two three')
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('one two three')
    expect(logger.messages).toEqual([
      'a vendor sent a message that makes no sense',
      'a realtime model complained',
    ])
    call.stream.close()
  })

  it('a session that is over after an hour may be taken up again', async () => {
    const { call, fakeTimers } = await open()
    await call.happened('ready')
    fakeTimers.fire(SESSION_MS)
    expect((await errorOf(call)).retryable).toBe(true)
  })
})
