import { describe, expect, it } from 'vitest'

import type { ConversationCommand } from '#voice/engine/conversation-command.ts'
import type { ConversationEvent } from '#voice/engine/conversation-event.ts'
import { decideConversation, startConversation } from '#voice/engine/conversation.ts'

import { testSettings } from './settings.ts'
import type { SettingsChange } from './settings.ts'

type Told = ConversationEvent extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'atMs'>
    : never
  : never

/** A call with a speech-to-speech model; the callee has the floor after `Hello.` was said. */
class RealtimeCall {
  readonly commands: ConversationCommand[] = []
  #state
  #atMs = 0

  constructor(change: SettingsChange = {}) {
    const settings = testSettings({ realtimeModel: 'model-1', ...change })
    const first = startConversation(settings, 0)
    this.#state = first.state
    this.commands.push(...first.commands)
  }

  get phase() {
    return this.#state.phase
  }

  tell(afterMs: number, event: Told): this {
    this.#atMs += afterMs
    const step = decideConversation(this.#state, { ...event, atMs: this.#atMs })
    this.#state = step.state
    this.commands.push(...step.commands)
    return this
  }

  rings(name: Extract<Told, { type: 'timerFired' }>['name']): this {
    const dueAtMs = this.#state.timers[name] ?? this.#atMs
    return this.tell(dueAtMs - this.#atMs, { type: 'timerFired', name })
  }

  says(text: string): this {
    const startedAtMs = this.#atMs + 10
    return this.tell(100, { type: 'speechStarted', startedAtMs })
      .tell(800, { type: 'speechEnded', endedAtMs: startedAtMs + 700 })
      .tell(100, { type: 'finalTranscript', text, startedAtMs, endedAtMs: startedAtMs + 700 })
  }

  of<Type extends ConversationCommand['type']>(type: Type) {
    return this.commands.filter(
      (command): command is Extract<ConversationCommand, { type: Type }> => command.type === type,
    )
  }

  lines(): string[] {
    return this.of('appendTranscript').map(({ entry }) => `${entry.role}: ${entry.content}`)
  }
}

const inbound = (change: SettingsChange = {}) =>
  new RealtimeCall({ direction: 'inbound', firstSentenceMode: 'none', ...change })

describe('a speech-to-speech model', () => {
  it('is given the floor, and what was said before, when the opening was heard', () => {
    const call = new RealtimeCall()
      .says('hello')
      .rings('opening')
      .rings('opening')
      .tell(50, { type: 'speechReady', speechId: 'sp-1', ttfbMs: 50 })
      .tell(10, { type: 'playoutStarted', speechId: 'sp-1' })
    expect(call.of('letModelListen')).toEqual([])
    call.tell(900, { type: 'playoutDone', speechId: 'sp-1' })
    expect(call.phase).toBe('realtime')
    expect(call.of('letModelListen')).toEqual([
      {
        type: 'letModelListen',
        hearFromMs: null,
        said: [
          { role: 'user', content: 'hello' },
          { role: 'assistant', content: 'Hi, this is Anna.' },
        ],
      },
    ])
  })

  it('hears who interrupts the opening from the beginning of their words', () => {
    const call = new RealtimeCall()
      .rings('opening')
      .rings('opening')
      .tell(50, { type: 'playoutStarted', speechId: 'sp-1' })
      .tell(300, { type: 'speechStarted', startedAtMs: 2_700 })
      .tell(300, { type: 'interimTranscript', text: 'wait a moment' })
      .tell(20, { type: 'playoutFlushed', speechId: 'sp-1', heardText: 'Hi,' })
    expect(call.phase).toBe('realtime')
    expect(call.of('letModelListen')).toMatchObject([
      { hearFromMs: 2_700, said: [{ role: 'assistant', content: 'Hi,' }] },
    ])
  })

  it('is cut at the words that were heard, and told so', () => {
    const call = inbound()
      .says('When do you open?')
      .tell(300, { type: 'modelBegan', utterance: 'u1' })
      .tell(0, { type: 'modelText', utterance: 'u1', text: 'We open at nine every day.' })
      .tell(0, { type: 'playoutStarted', speechId: 'u1' })
      .tell(500, { type: 'speechStarted', startedAtMs: 1_700 })
      .tell(50, { type: 'modelInterrupted' })
      .tell(5, {
        type: 'playoutFlushed',
        speechId: 'u1',
        heardText: '',
        heardMs: 1_000,
        saidMs: 2_000,
      })
      .tell(5, { type: 'modelText', utterance: 'u1', text: ' Late words.' })
    expect(call.lines()[0]).toBe('user: When do you open?')
    expect(call.lines()[1]).toMatch(/^assistant: We open(?: at)?(?: nine)?$/)
    expect(call.of('cutModel')).toEqual([{ type: 'cutModel', utterance: 'u1', heardMs: 1_000 }])
    const events = call.of('emitSpeechEvent').map(({ event }) => event)
    expect(events[1]).toMatchObject({ wasCut: true, llmWinnerModel: 'model-1' })
    // From the last of what was said to the first of the answer.
    expect(events[1]?.llmTtftMs).toBe(590)
  })

  it('ends the call when its goodbye was heard, unless somebody goes on', () => {
    const saying = (call: RealtimeCall) =>
      call
        .says('That is all.')
        .tell(300, { type: 'modelBegan', utterance: 'u1' })
        .tell(0, { type: 'modelText', utterance: 'u1', text: 'Goodbye.' })
        .tell(0, { type: 'playoutStarted', speechId: 'u1' })
        .tell(10, {
          type: 'modelToolCall',
          call: { id: 't1', name: 'end_call', arguments: '{}' },
        })
    const left = saying(inbound())
    expect(left.of('finish')).toEqual([])
    left.tell(900, { type: 'playoutDone', speechId: 'u1' })
    expect(left.of('finish')).toMatchObject([{ endedBy: 'agent', endReason: 'tool_end_call' }])
    const stayed = saying(inbound())
      .tell(100, { type: 'modelInterrupted' })
      .tell(5, { type: 'playoutFlushed', speechId: 'u1', heardText: '', heardMs: 50, saidMs: 800 })
    expect(stayed.of('finish')).toEqual([])
    expect(stayed.phase).toBe('realtime')
  })

  it('that brings nothing is asked again, then the call ends with an apology', () => {
    const call = inbound().says('Hello?').rings('llmFirstToken').rings('llmFirstToken')
    expect(call.of('haveModelSpeak')).toHaveLength(2)
    call.rings('llmFirstToken')
    expect(call.of('speak').at(-1)?.text).toMatch(/sorry/)
    call
      .tell(100, { type: 'modelBegan', utterance: 'late' })
      .tell(100, { type: 'playoutStarted', speechId: 'sp-1' })
      .tell(900, { type: 'playoutDone', speechId: 'sp-1' })
    expect(call.of('cutModel')).toEqual([{ type: 'cutModel', utterance: 'late', heardMs: 0 }])
    expect(call.of('finish')).toMatchObject([{ endedBy: 'system', endReason: null }])
  })

  it('gives way to the message when a mailbox shows itself late', () => {
    const call = new RealtimeCall({
      firstSentenceMode: 'none',
      voicemailMessage: 'Please call back.',
    })
      .says('hello')
      .rings('opening')
    expect(call.phase).toBe('realtime')
    call.says('please leave a message after the tone').rings('endpoint')
    expect(call.of('setResult').at(-1)).toMatchObject({ result: 'voicemail' })
    expect(call.of('speak').map(({ text }) => text)).toEqual(['Please call back.'])
  })
})
