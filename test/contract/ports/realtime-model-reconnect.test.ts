import { afterEach, describe, expect, it } from 'vitest'

import { geminiLive } from '#shared/adapters/realtime/gemini-live.ts'
import { openAiRealtime } from '#shared/adapters/realtime/openai-realtime.ts'
import { reconnectingRealtime } from '#shared/adapters/realtime/reconnecting.ts'
import type { REALTIME_PROVIDERS } from '#shared/domain/llm-model.ts'
import type { BrainInput } from '#test/support/fakes/fake-caller.ts'
import { parrot } from '#test/support/fakes/fake-caller.ts'
import { GEMINI_KEY, startFakeGeminiLive } from '#test/support/fakes/fake-gemini-live.ts'
import { OPENAI_KEY, startFakeOpenAiRealtime } from '#test/support/fakes/fake-openai-realtime.ts'
import type { FakeRealtime } from '#test/support/fakes/fake-openai-realtime.ts'
import { SpeechGate } from '#test/support/fakes/speech-gate.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

import { Conversation, realtimeModelSuite, TOOL } from './realtime-model-suite.ts'

const started: AsyncDisposable[] = []
afterEach(async () => {
  for (const fake of started.splice(0)) await fake[Symbol.asyncDispose]()
})

type Provider = (typeof REALTIME_PROVIDERS)[number]

async function openModel(provider: Provider, brain = parrot, gate = new SpeechGate()) {
  const options = { brain, pace: gate.pace, timers: manualTimers() }
  const isFirst = provider === 'realtime_provider_1'
  const fake: FakeRealtime = isFirst
    ? await startFakeOpenAiRealtime(options)
    : await startFakeGeminiLive(options)
  started.push(fake)
  const timers = manualTimers()
  const deps = { timers, logger: collectingLogger() }
  const vendorDeps = { ...deps, timers: manualTimers(), url: fake.url }
  const model = isFirst
    ? openAiRealtime({ apiKey: OPENAI_KEY, ...vendorDeps })
    : geminiLive({ apiKey: GEMINI_KEY, ...vendorDeps })
  return { fake, timers, model: reconnectingRealtime(model, deps) }
}

describe('a model that connects again', () => {
  realtimeModelSuite('realtime_provider_1', async (brain, gate) => {
    const { model } = await openModel('realtime_provider_1', brain, gate)
    return model
  })
})

describe('a connection to realtime_provider_1 that is lost', () => {
  /** What the model is asked for, over all its connections. */
  async function open() {
    const asked: BrainInput[] = []
    const opened = await openModel('realtime_provider_1', (input) => {
      asked.push(input)
      return parrot({
        ...input,
        instructions: input.instructions && input.instructions.slice(0, 22),
      })
    })
    const call = new Conversation(opened.model, 'realtime_provider_1', {
      tools: [TOOL],
      history: [{ role: 'user', content: 'Hello?' }],
    })
    return { ...opened, call, asked }
  }

  it('while the model speaks: the next one knows what was said, and goes on', async () => {
    const { fake, timers, call, asked } = await open()
    fake.fail({ kind: 'drop', afterWords: 2 })
    call.stream.respond('Say: one two three four')
    await call.happened('utteranceDone')
    await timers.set(0)
    timers.fire(0)
    await call.happened('utteranceDone', 2)
    expect(call.spoken()).toBe('one two The line was lost for')
    expect(asked.at(-1)?.instructions).toContain('do not repeat what was said')
    expect(fake.remembered().map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Hello?',
      'assistant: one two',
      'assistant: The line was lost for',
    ])
    expect(call.of('ready')).toHaveLength(1)
    const names = call.of('utteranceDone').map(({ utterance }) => utterance)
    expect(new Set(names).size).toBe(2)
    call.stream.close()
  })

  it('remembers no more of an answer than was heard', async () => {
    const { fake, timers, call } = await open()
    call.stream.respond('Say: one two three four')
    await call.happened('utteranceDone')
    call.stream.cut(call.of('utteranceDone')[0]?.utterance ?? '', 700)
    fake.fail({ kind: 'drop', afterWords: 0 })
    call.stream.respond('Say: five')
    await timers.set(0)
    timers.fire(0)
    await call.happened('utteranceDone', 2)
    expect(fake.remembered()[1]).toMatchObject({ role: 'assistant', text: 'one two' })
    call.stream.close()
  })

  it('loses no audio of the caller, however long it takes', async () => {
    const { fake, timers, call } = await open()
    await call.happened('ready')
    fake.connections[0]?.drop()
    await timers.set(0)
    fake.fail({ kind: 'refuse', status: 503 })
    timers.fire(0)
    await timers.set(500)
    call.say('tuesday_morning')
    timers.fire(500)
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('You said Tuesday morning would be best.')
    call.stream.close()
  })

  it('cancels the tools that it had called', async () => {
    const asked: BrainInput[] = []
    const { fake, timers, model } = await openModel('realtime_provider_1', (input) => {
      asked.push(input)
      return asked.length === 1 ? { tools: [{ name: 'book', arguments: {} }] } : { say: 'Hello.' }
    })
    const call = new Conversation(model, 'realtime_provider_1')
    call.stream.respond('book')
    await call.happened('toolCall')
    const callId = call.of('toolCall')[0]?.call.id ?? ''
    fake.connections[0]?.drop()
    await call.happened('toolCancelled')
    expect(call.of('toolCancelled')).toEqual([{ type: 'toolCancelled', callId }])
    call.stream.answerTool(callId, 'late')
    timers.fire(0)
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('Hello.')
    expect(fake.remembered().map(({ text }) => text)).toEqual(['Hello.'])
    call.stream.close()
  })

  it('is the end when the vendor takes no other one', async () => {
    const { fake, timers, call } = await open()
    await call.happened('ready')
    fake.fail(...[503, 503, 503, 503].map((status) => ({ kind: 'refuse', status }) as const))
    fake.connections[0]?.drop()
    for (const waitMs of [0, 500, 1_000, 2_000]) {
      await timers.set(waitMs)
      timers.fire(waitMs)
    }
    await call.happened('failed')
    expect(timers.waiting()).toEqual([])
  })

  it('is the end at once when the vendor says that it will stay so', async () => {
    const { fake, timers, call } = await open()
    await call.happened('ready')
    fake.fail({ kind: 'refuse', status: 401 })
    fake.connections[0]?.drop()
    await timers.set(0)
    timers.fire(0)
    await call.happened('failed')
    expect(call.of('failed')[0]?.error).toMatchObject({ status: 401 })
    expect(timers.waiting()).toEqual([])
  })
})

describe('a connection to realtime_provider_2 that is lost for good', () => {
  it('is followed by another one that knows what was said', async () => {
    const { fake, timers, model } = await openModel('realtime_provider_2')
    const call = new Conversation(model, 'realtime_provider_2')
    call.stream.respond('Say: one two three four')
    await call.happened('utteranceDone')
    // Once for the handle of the session, once for the session.
    fake.fail({ kind: 'refuse', status: 503 })
    fake.connections[0]?.drop()
    await timers.set(0)
    timers.fire(0)
    call.stream.respond('Say: five')
    await call.happened('utteranceDone', 2)
    expect(call.spoken()).toBe('one two three four five')
    expect(fake.remembered().map(({ text }) => text)).toEqual(['one two three four', 'five'])
    call.stream.close()
  })
})
