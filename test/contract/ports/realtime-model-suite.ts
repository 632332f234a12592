import { expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { ToneWordDecoder } from '#shared/audio/tone-words.ts'
import type { REALTIME_PROVIDERS } from '#shared/domain/llm-model.ts'
import type {
  RealtimeEvent,
  RealtimeModel,
  RealtimeOptions,
  RealtimeStream,
} from '#shared/ports/realtime-model.ts'
import type { FakeBrain } from '#test/support/fakes/fake-caller.ts'
import { parrot } from '#test/support/fakes/fake-caller.ts'
import { Happenings } from '#test/support/fakes/happenings.ts'
import { SpeechGate } from '#test/support/fakes/speech-gate.ts'
import { carrierFrames, overTheLine, silence } from '#test/support/telephone-line.ts'

export const TOOL = {
  name: 'book',
  description: 'Books a day.',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
}

const clips = readCalleeClips()

type Provider = (typeof REALTIME_PROVIDERS)[number]

/** One conversation with a model, and all that came of it. */
export class Conversation {
  readonly events: RealtimeEvent[] = []
  readonly stream: RealtimeStream
  readonly #happenings = new Happenings()

  constructor(model: RealtimeModel, provider: Provider, changes: Partial<RealtimeOptions> = {}) {
    this.stream = model.open(
      {
        model: { type: 'realtime', provider, realtimeModelId: 'model-1' },
        instructions: 'You are Nora.',
        tools: [TOOL],
        history: [],
        languageHints: ['en'],
        reference: 'ses_1',
        ...changes,
      },
      (event) => {
        this.events.push(event)
        this.#happenings.note()
      },
    )
  }

  until(isSo: () => boolean): Promise<void> {
    return this.#happenings.until(isSo)
  }

  /** Resolves when an event of this type has come, so many times. */
  happened(type: RealtimeEvent['type'], times = 1): Promise<void> {
    return this.until(() => this.of(type).length >= times)
  }

  of<Type extends RealtimeEvent['type']>(type: Type): Extract<RealtimeEvent, { type: Type }>[] {
    return this.events.filter(
      (event): event is Extract<RealtimeEvent, { type: Type }> => event.type === type,
    )
  }

  say(clip: Parameters<typeof clips.get>[0], after = 8_000): void {
    this.hear(overTheLine(clips.get(clip)!, { after }))
  }

  hear(audio: Uint8Array): void {
    for (const frame of carrierFrames(audio)) this.stream.write(frame)
  }

  /** What a caller hears, in words. */
  spoken(): string {
    return this.spokenAs(() => true)
  }

  spokenAs(isWanted: (utterance: string) => boolean): string {
    const wanted = this.of('audio').filter((event) => isWanted(event.utterance))
    const audio = wanted.map((event) => event.audio)
    const decoder = new ToneWordDecoder()
    return decoder
      .push(Buffer.concat([...audio, silence(100)]))
      .map(({ text }) => text)
      .join(' ')
  }

  written(): string {
    return this.of('agentText')
      .map(({ text }) => text)
      .join('')
  }
}

/** What every implementation of the port does. `open` gives one that thinks with this brain, and speaks as the gate lets it. */
export function realtimeModelSuite(
  provider: Provider,
  open: (brain: FakeBrain, gate: SpeechGate) => Promise<RealtimeModel>,
): void {
  const begin = async (
    brain = parrot,
    changes: Partial<RealtimeOptions> = {},
    gate = new SpeechGate(),
  ) => new Conversation(await open(brain, gate), provider, changes)

  it('is ready, and says what it is asked for, in words and in audio', async () => {
    const call = await begin()
    call.stream.respond('Say: Hello, this is Nora.')
    await call.happened('utteranceDone')
    expect(call.events[0]).toEqual({ type: 'ready' })
    expect(call.written()).toBe('Hello, this is Nora.')
    expect(call.spoken()).toBe('Hello, this is Nora.')
    const names = call.events.flatMap((event) => ('utterance' in event ? [event.utterance] : []))
    expect(new Set(names).size).toBe(1)
    call.stream.close()
  })

  it('hears the caller, then answers', async () => {
    const call = await begin()
    call.say('tuesday_morning')
    await call.happened('utteranceDone')
    const said = call.of('userText')
    expect(said.filter(({ isFinal }) => isFinal)).toEqual([
      { type: 'userText', text: 'Tuesday morning would be best.', isFinal: true },
    ])
    expect(said[0]?.isFinal).toBe(false)
    expect(call.spoken()).toBe('You said Tuesday morning would be best.')
    const heardAt = call.events.findIndex((event) => event.type === 'userText' && event.isFinal)
    const spokeAt = call.events.findIndex((event) => event.type === 'audio')
    expect(heardAt).toBeLessThan(spokeAt)
    call.stream.close()
  })

  it('calls tools with JSON arguments, and goes on when all have answered', async () => {
    const call = await begin(({ toolOutputs }) =>
      toolOutputs.length > 0
        ? { say: `Booked ${toolOutputs.join(' and ')}` }
        : {
            say: 'A moment.',
            tools: ['Tuesday', 'Friday'].map((day) => ({ name: 'book', arguments: { day } })),
          },
    )
    call.say('tuesday_morning')
    await call.happened('toolCall', 2)
    const calls = call.of('toolCall').map((event) => event.call)
    expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([
      ['book', { day: 'Tuesday' }],
      ['book', { day: 'Friday' }],
    ])
    expect(calls[0]?.id).not.toBe(calls[1]?.id)
    call.stream.answerTool(calls[0]?.id ?? '', 'one')
    call.stream.answerTool(calls[1]?.id ?? '', 'two')
    await call.happened('utteranceDone', 2)
    expect(call.spoken()).toBe('A moment. Booked one and two')
    call.stream.close()
  })

  it('ignores the answer of a tool that it did not call', async () => {
    const call = await begin()
    call.stream.answerTool('nobody', 'ok')
    call.stream.respond('Say: Hello.')
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('Hello.')
    call.stream.close()
  })

  it('is interrupted by the caller, says no more of it, and answers what was said', async () => {
    const long = 'one two three four five six seven eight nine ten'
    const gate = new SpeechGate()
    const brain: FakeBrain = ({ instructions, heard }) => ({ say: instructions ? long : heard! })
    const call = await begin(brain, {}, gate)
    gate.allow(4)
    call.stream.respond('count')
    await call.happened('audio', 2)
    const utterance = call.of('audio')[0]?.utterance ?? ''
    call.say('wait_a_moment')
    await call.happened('interrupted')
    gate.open()
    call.stream.cut(utterance, 200)
    await call.until(() => call.of('utteranceDone').some((one) => one.utterance !== utterance))
    const answer = call.of('agentText').filter((event) => event.utterance !== utterance)
    expect(answer.map(({ text }) => text).join('')).toBe('Wait, I have a question.')
    expect(call.spokenAs((name) => name !== utterance)).toBe('Wait, I have a question.')
    expect(call.spoken()).not.toMatch(/ten|late/)
    call.stream.close()
  })

  it('takes what was said before, and what the caller heard from elsewhere', async () => {
    const call = await begin(parrot, { history: [{ role: 'user', content: 'Hello?' }] })
    call.stream.remember({ role: 'assistant', content: 'Hello, this is Nora.' })
    call.stream.respond('Say: Go on.')
    await call.happened('utteranceDone')
    expect(call.spoken()).toBe('Go on.')
    call.stream.close()
  })

  it('says nothing once it is closed', async () => {
    const call = await begin()
    await call.happened('ready')
    call.stream.close()
    const until = call.events.length
    call.say('goodbye')
    call.stream.respond('Say: Hello.')
    call.stream.remember({ role: 'user', content: 'x' })
    call.stream.cut('x', 0)
    call.stream.close()
    const again = await begin()
    again.stream.respond('Say: Hello.')
    await again.happened('utteranceDone')
    expect(call.events.length).toBe(until)
    again.stream.close()
  })
}
