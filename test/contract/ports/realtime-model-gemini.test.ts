import { afterEach, describe, expect, it } from 'vitest'

import { geminiLive } from '#shared/adapters/realtime/gemini-live.ts'
import type { GeminiLiveOptions } from '#shared/adapters/realtime/gemini-live.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { RealtimeOptions } from '#shared/ports/realtime-model.ts'
import type { FakeBrain } from '#test/support/fakes/fake-caller.ts'
import { GEMINI_KEY, startFakeGeminiLive } from '#test/support/fakes/fake-gemini-live.ts'
import type { RealtimeFault } from '#test/support/fakes/fake-openai-realtime.ts'
import { SpeechGate } from '#test/support/fakes/speech-gate.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

import { Conversation, TOOL } from './realtime-model-suite.ts'

const READY_MS = 5_000
const NOTICE_AT_MS = 9 * 60_000
const CONNECTION_MS = 10 * 60_000
const started: AsyncDisposable[] = []
afterEach(async () => {
  for (const fake of started.splice(0)) await fake[Symbol.asyncDispose]()
})

async function open(
  options: {
    readonly faults?: readonly RealtimeFault[]
    readonly adapter?: Partial<GeminiLiveOptions>
    readonly request?: Partial<RealtimeOptions>
    readonly brain?: FakeBrain
  } = {},
) {
  const gate = new SpeechGate()
  const fakeTimers = manualTimers()
  const fake = await startFakeGeminiLive({
    pace: gate.pace,
    timers: fakeTimers,
    ...(options.brain && { brain: options.brain }),
  })
  started.push(fake)
  fake.fail(...(options.faults ?? []))
  const timers = manualTimers()
  const logger = collectingLogger()
  const model = geminiLive({
    apiKey: GEMINI_KEY,
    url: fake.url,
    timers,
    logger,
    ...options.adapter,
  })
  const call = new Conversation(model, 'realtime_provider_2', options.request)
  return { fake, fakeTimers, gate, timers, logger, call }
}

async function errorOf(call: Conversation): Promise<AdapterError> {
  await call.happened('failed')
  const [{ error }] = call.of('failed') as unknown as [{ error: unknown }]
  expect(error).toBeInstanceOf(AdapterError)
  return error as AdapterError
}

describe('a session of realtime_provider_2', () => {
  it('is configured as the assistant wants it, before anything else is sent', async () => {
    const { fake, call } = await open({
      request: {
        model: {
          type: 'realtime',
          provider: 'realtime_provider_2',
          realtimeModelId: 'gemini-live',
          realtimeVoiceId: 'Kore',
        },
        history: [
          { role: 'user', content: 'Hello?' },
          { role: 'assistant', content: 'Good morning.' },
        ],
      },
    })
    call.stream.respond('Say: Go on.')
    await call.happened('utteranceDone')
    const turn = (role: string, text: string, turnComplete: boolean) => ({
      clientContent: { turns: [{ role, parts: [{ text }] }], turnComplete },
    })
    expect(fake.connections[0]?.received).toEqual([
      {
        setup: {
          model: 'models/gemini-live',
          generationConfig: {
            responseModalities: ['AUDIO'],
            speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
          },
          systemInstruction: { parts: [{ text: 'You are Nora.' }] },
          tools: [{ functionDeclarations: [TOOL] }],
          realtimeInputConfig: { activityHandling: 'START_OF_ACTIVITY_INTERRUPTS' },
          inputAudioTranscription: {},
          outputAudioTranscription: {},
          sessionResumption: {},
          contextWindowCompression: { slidingWindow: {} },
        },
      },
      turn('user', 'Hello?', false),
      turn('model', 'Good morning.', false),
      turn('user', 'Say: Go on.', true),
    ])
    call.stream.close()
  })

  it('says no more of what was cut', async () => {
    const { gate, call } = await open()
    gate.allow(2)
    call.stream.respond('Say: one two three four')
    await call.happened('audio')
    const { utterance } = call.of('audio')[0]!
    call.stream.cut(utterance, 100)
    gate.open()
    call.stream.respond('Say: five')
    await call.until(() => call.of('utteranceDone').length === 2)
    expect(call.spokenAs((name) => name !== utterance)).toBe('five')
    call.stream.close()
  })

  it('cancels tools whose answers the caller does not wait for', async () => {
    const brain: FakeBrain = ({ heard }) =>
      heard === null ? { tools: [{ name: 'book', arguments: {} }] } : { say: heard }
    const { call, fake } = await open({ brain })
    call.stream.respond('book')
    await call.happened('toolCall')
    const { id } = call.of('toolCall')[0]!.call
    call.say('wait_a_moment')
    await call.happened('toolCancelled')
    expect(call.of('toolCancelled')).toEqual([{ type: 'toolCancelled', callId: id }])
    call.stream.answerTool(id, 'late')
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('Wait, I have a question.')
    expect(JSON.stringify(fake.connections[0]?.received)).not.toContain('late')
    call.stream.close()
  })
})

describe('the end of a connection', () => {
  it('is announced, and the session goes on over the next one', async () => {
    const { fake, fakeTimers, call } = await open()
    call.stream.remember({ role: 'user', content: 'My name is Sam.' })
    await fake.until(() => fake.remembered().length === 1)
    fakeTimers.fire(NOTICE_AT_MS)
    await fake.until(() => fake.connections.length === 2)
    call.stream.respond('Say: Go on.')
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('Go on.')
    expect(fake.remembered()[0]?.text).toBe('My name is Sam.')
    expect(call.of('ready')).toHaveLength(1)
    await fake.until(() => fake.openSockets() === 1)
    call.stream.close()
  })

  it('loses no audio of the caller', async () => {
    const { fake, call } = await open()
    await call.happened('ready')
    await fake.until(() => fake.connections[0]?.received.length === 1)
    fake.goAway()
    await fake.connections[0]?.readToHere()
    call.say('tuesday_morning')
    await call.happened('utteranceDone')
    expect(fake.connections).toHaveLength(2)
    expect(call.spoken()).toBe('You said Tuesday morning would be best.')
    call.stream.close()
  })

  it('that comes without a word is made up for as well, once for each handle', async () => {
    const { fake, call } = await open({ faults: [{ kind: 'drop', afterWords: 1 }] })
    call.stream.respond('Say: one two three')
    await fake.until(() => fake.connections.length === 2)
    call.stream.respond('Say: four')
    await call.happened('utteranceDone', 2)
    expect(call.spoken()).toBe('one four')
    call.stream.close()
  })

  it('after ten minutes is the end when nobody may take it up', async () => {
    const { fake, fakeTimers, call } = await open()
    await call.happened('ready')
    await fake.connections[0]?.readToHere()
    fake.fail({ kind: 'refuse', status: 503 })
    fakeTimers.fire(CONNECTION_MS)
    expect(await errorOf(call)).toMatchObject({ status: 503, retryable: true })
  })
})

describe('what goes wrong with realtime_provider_2', () => {
  it.each([
    [403, false],
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
    expect(error).toMatchObject({ status: 403, retryable: false })
    expect(error.message).not.toContain('wrong')
  })

  it('a session that the vendor does not understand is final', async () => {
    const model = {
      type: 'realtime',
      provider: 'realtime_provider_2',
      realtimeModelId: 'm',
    } as const
    const tools = [{ ...TOOL, name: undefined as unknown as string }]
    const { call } = await open({ request: { model, tools } })
    expect(await errorOf(call)).toMatchObject({ status: 1007, retryable: false })
  })

  it('a session that is never ready is given up', async () => {
    const { fake, call, timers } = await open({ faults: [{ kind: 'mute' }] })
    await fake.until(() => fake.connections[0]?.received.length === 1)
    timers.fire(READY_MS)
    expect((await errorOf(call)).retryable).toBe(true)
    await fake.until(() => fake.openSockets() === 0)
    expect(timers.waiting()).toEqual([])
  })

  it('garbage is passed over, complained about once, and never shown in the log', async () => {
    const { call, logger } = await open({ faults: [{ kind: 'garbage', afterWords: 1 }] })
    call.stream.respond('Say: one two three')
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('one two three')
    expect(logger.messages).toEqual(['a vendor sent a message that makes no sense'])
    call.stream.close()
  })
})
