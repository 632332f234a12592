import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { ConversationCommand } from '#voice/engine/conversation-command.ts'
import type { ConversationEvent } from '#voice/engine/conversation-event.ts'
import { decideConversation, startConversation } from '#voice/engine/conversation.ts'

import { Scenario } from './scenario.ts'
import { testSettings } from './settings.ts'
import type { SettingsChange } from './settings.ts'

const words = fc.constantFrom(
  'hello',
  'mm-hm',
  'please leave a message',
  'wait',
  'Bob.',
  '',
  'okay',
)
const llmId = fc.integer({ min: 1, max: 6 }).map((number) => `llm-${number}`)
const utterance = fc.integer({ min: 1, max: 3 }).map((number) => `utterance-${number}`)
const speechId = fc.oneof(
  fc.integer({ min: 1, max: 8 }).map((number) => `sp-${number}`),
  utterance,
)
const callId = fc.constantFrom('t1', 't2')
const ms = fc.integer({ min: 0, max: 3_000 })
const timer = fc.constantFrom(
  ...(['opening', 'endpoint', 'interruption', 'falseInterruption', 'inactivity'] as const),
  ...(['maxDuration', 'machine', 'llmFirstToken', 'ttsFirstAudio', 'hangUp'] as const),
  ...(['deadAir', 'gate'] as const),
)

/** Any event at any time, as a hostile or broken session might send it. */
const event = fc.oneof<fc.Arbitrary<object>[]>(
  fc.record({ type: fc.constant('speechStarted'), startedAtMs: fc.nat(60_000) }),
  fc.record({ type: fc.constant('speechEnded'), endedAtMs: fc.nat(60_000) }),
  fc.record({ type: fc.constant('interimTranscript'), text: words }),
  fc.record({
    type: fc.constant('finalTranscript'),
    text: words,
    startedAtMs: fc.nat(60_000),
    endedAtMs: fc.nat(60_000),
  }),
  fc.record({ type: fc.constant('endOfTurnHint') }),
  fc.record({ type: fc.constant('recogniserFailed') }),
  fc.record({ type: fc.constant('dtmfReceived'), digit: fc.constant('1') }),
  fc.record({ type: fc.constant('toneEnded'), hz: fc.constant(1_000), durationMs: ms }),
  fc.record({
    type: fc.constant('llmText'),
    requestId: llmId,
    text: fc.constantFrom('Well. ', 'How are', ' you? ', ' 3.5'),
    model: fc.constant('m'),
  }),
  fc.record({
    type: fc.constant('llmToolCall'),
    requestId: llmId,
    callId,
    name: fc.constantFrom('end_call', 'lookup'),
    arguments: fc.constantFrom('{}', '{'),
  }),
  fc.record({ type: fc.constant('llmDone'), requestId: llmId }),
  fc.record({ type: fc.constant('llmFailed'), requestId: llmId }),
  fc.record({
    type: fc.constant('toolAnswered'),
    callId,
    output: fc.constant('out'),
    isError: fc.boolean(),
  }),
  fc.record({ type: fc.constant('speechReady'), speechId, ttfbMs: ms }),
  fc.record({ type: fc.constant('playoutStarted'), speechId }),
  fc.record({ type: fc.constant('playoutDone'), speechId }),
  fc.record({
    type: fc.constant('playoutFlushed'),
    speechId,
    heardText: fc.constantFrom('', 'Hi,'),
    heardMs: ms,
    saidMs: ms,
  }),
  fc.record({ type: fc.constant('modelBegan'), utterance }),
  fc.record({
    type: fc.constant('modelText'),
    utterance,
    text: fc.constantFrom('Well, ', 'how are you?'),
  }),
  fc.record({ type: fc.constantFrom('modelInterrupted', 'modelFailed', 'modelLost') }),
  fc.record({
    type: fc.constant('modelToolCall'),
    call: fc.record({
      id: callId,
      name: fc.constantFrom('end_call', 'lookup'),
      arguments: fc.constant('{}'),
    }),
  }),
  fc.record({ type: fc.constant('modelToolCancelled'), callId }),
  fc.record({ type: fc.constant('speechFailed'), speechId }),
  fc.record({ type: fc.constant('timerFired'), name: timer }),
  fc.record({ type: fc.constant('timerFired'), name: timer }),
)
const step = fc.record({ event, afterMs: fc.integer({ min: -50, max: 2_500 }) })

const settings: fc.Arbitrary<SettingsChange> = fc.record({
  direction: fc.constantFrom('inbound', 'outbound'),
  firstSentence: fc.constantFrom(null, 'Hi, this is Anna.'),
  firstSentenceMode: fc.constantFrom('static', 'generated', 'none'),
  voicemailMessage: fc.constantFrom(null, 'Please call back.'),
  maxDurationEndMessage: fc.constantFrom(null, 'Time is up.'),
  endOfCallSentence: fc.constantFrom(null, 'Bye.'),
  maxCallDurationMs: fc.constantFrom(5_000, 60_000),
  realtimeModel: fc.constantFrom(null, 'model-1'),
})

/** The commands of a call that was told all this, and then that the callee has hung up. */
function play(change: SettingsChange, events: readonly ConversationEvent[]): ConversationCommand[] {
  let { state, commands: first } = startConversation(testSettings(change), 0)
  const commands = [...first]
  for (const each of events) {
    const before = JSON.stringify(state)
    const next = decideConversation(state, each)
    expect(JSON.stringify(state)).toBe(before)
    state = next.state
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    commands.push(...next.commands)
  }
  return commands
}

function timed(
  steps: readonly { readonly event: object; readonly afterMs: number }[],
): readonly ConversationEvent[] {
  let atMs = 0
  const events = steps.map(({ event: each, afterMs }) => {
    atMs = Math.max(0, atMs + afterMs)
    return { ...each, atMs } as ConversationEvent
  })
  return [...events, { type: 'calleeHungUp', atMs }, { type: 'endOfTurnHint', atMs }]
}

function expectWellFormed(commands: readonly ConversationCommand[]): void {
  const types = commands.map(({ type }) => type)
  expect(types.filter((type) => type === 'finish')).toHaveLength(1)
  expect(types.at(-1)).toBe('finish')
  expect(types.filter((type) => type === 'hangUp').length).toBeLessThanOrEqual(1)
  const ids = commands.flatMap((each) => (each.type === 'speak' ? [each.speechId] : []))
  expect(new Set(ids).size).toBe(ids.length)
}

test('whatever happens: no exception, one finish, the last of all, and the same again', () => {
  fc.assert(
    fc.property(settings, fc.array(step, { maxLength: 60 }), (change, steps) => {
      const commands = play(change, timed(steps))
      expectWellFormed(commands)
      expect(play(change, timed(steps))).toEqual(commands)
    }),
    { numRuns: 400 },
  )
})

type Deed = (call: Scenario) => Scenario

/** What a callee may do, in a world that keeps its promises. */
const deed: fc.Arbitrary<Deed> = fc.oneof<fc.Arbitrary<Deed>[]>(
  words
    .filter((text) => text !== '')
    .map(
      (text): Deed =>
        (call) =>
          call.state.hearing.isSpeech ? call : call.says(text),
    ),
  fc.integer({ min: 50, max: 3_000 }).map(
    (forMs): Deed =>
      (call) =>
        call.makesNoise(forMs),
  ),
  fc.integer({ min: 0, max: 5_000 }).map(
    (forMs): Deed =>
      (call) =>
        call.waits(forMs),
  ),
  fc.constant<Deed>((call) => call.waitsForVoice().waits(400)),
  fc.constant<Deed>((call) => call.listens()),
  fc.constant<Deed>((call) => call.beeps()),
)
const use = { name: 'lookup', arguments: '{}' }
const answer = fc.constantFrom(
  'Well. I think so. But let me tell you more about all of it.',
  'Yes.',
  '',
  { text: 'Let me see.', tools: [use] },
  { tools: [use, use] },
  { text: 'Goodbye!', tools: [{ name: 'end_call', arguments: '{}' }] },
  { end: 'fails' } as const,
  { text: 'I was about to. And then', end: 'hangs' } as const,
)

function normalized(texts: readonly string[]): readonly string[] {
  return texts
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}

test('a call ends, and its transcript holds exactly what was heard of the agent', () => {
  const options = fc.record({
    settings,
    answers: fc.array(answer, { maxLength: 6 }),
    toolOutputs: fc.constant({ lookup: 'found' }),
    muteSpeeches: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(options, fc.array(deed, { maxLength: 8 }), (world, deeds) => {
      const call = new Scenario(world)
      for (const each of deeds) if (call.end === null) each(call)
      call.waits(200_000)
      expectWellFormed(call.commands)
      const said = call.all('appendTranscript').filter(({ entry }) => entry.role === 'assistant')
      expect(normalized(said.map(({ entry }) => entry.content))).toEqual(normalized(call.heard))
      expect(call.state.timers).toEqual({})
      expect(play(world.settings, call.events)).toEqual(call.commands)
    }),
    { numRuns: 150 },
  )
})
