import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { ConversationCommand } from '#voice/engine/conversation-command.ts'
import type { ConversationEvent } from '#voice/engine/conversation-event.ts'
import { decideConversation, startConversation } from '#voice/engine/conversation.ts'
import type { ConversationSettings } from '#voice/engine/settings.ts'
import { DEFAULT_TIMING } from '#voice/engine/settings.ts'

import type { HeardSound } from './heard-sound.ts'
import type { Recognised } from './recognised-words.ts'

export interface Verdict {
  readonly atMs: number
  readonly result: AttemptResult
}

export interface HeardOpening {
  /** In order; a later one replaces an earlier one. */
  readonly verdicts: readonly Verdict[]
  /** When the agent first asked its voice for words; null: never. */
  readonly spokeAtMs: number | null
  /** How often a model was asked who has answered. */
  readonly inquiries: number
}

/** How the agent's side of the line takes its time. */
const VOICE_STARTS_MS = 200
const VOICE_MS_PER_CHAR = 60
const MODEL_MS = 500

const SETTINGS: ConversationSettings = {
  direction: 'outbound',
  language: 'en',
  prompt: 'You are Ava from Northwind Dental.',
  firstSentence: 'Hello, this is Ava from Northwind Dental. Do you have a moment?',
  firstSentenceMode: 'static',
  firstSentenceDelayMs: 400,
  endOfCallSentence: null,
  maxCallDurationMs: 600_000,
  maxDurationEndMessage: null,
  voicemailMessage: 'This is Ava from Northwind Dental. Please call us back.',
  ivrNavigationEnabled: true,
  realtimeModel: null,
  isThinkingHeard: false,
  tools: [],
  cancellableTools: [],
  timing: DEFAULT_TIMING,
}

interface Due {
  readonly atMs: number
  readonly event: () => ConversationEvent | null
}

/**
 * Plays what was heard of an opening to the production's conversation, in virtual time, up to
 * `untilMs`. Without a model nobody gives an opinion, as when a vendor fails.
 */
export async function hearOpening(
  heard: readonly (HeardSound | Recognised)[],
  options: { readonly untilMs: number; readonly model: LanguageModel | null },
): Promise<HeardOpening> {
  const due: Due[] = heard.map((event) => ({ atMs: event.atMs, event: () => event }))
  const timers = new Map<string, number>()
  const verdicts: Verdict[] = []
  let [spokeAtMs, inquiries]: [number | null, number] = [null, 0]
  let step = startConversation(SETTINGS, 0)

  const later = (atMs: number, ...events: readonly Untimed[]): void => {
    for (const event of events) {
      due.push({ atMs, event: () => ({ ...event, atMs }) })
    }
  }
  const perform = async (command: ConversationCommand, atMs: number): Promise<void> => {
    if (command.type === 'setResult') verdicts.push({ atMs, result: command.result })
    if (command.type === 'setTimer') {
      const { name, inMs } = command
      timers.set(name, atMs + inMs)
      due.push({
        atMs: atMs + inMs,
        event: () =>
          timers.get(name) === atMs + inMs ? { type: 'timerFired', name, atMs: atMs + inMs } : null,
      })
    }
    if (command.type === 'clearTimer') timers.delete(command.name)
    if (command.type === 'speak') {
      spokeAtMs ??= atMs
      const { speechId, text } = command
      const startMs = atMs + VOICE_STARTS_MS
      later(startMs, { type: 'speechReady', speechId, ttfbMs: VOICE_STARTS_MS })
      later(startMs, { type: 'playoutStarted', speechId })
      later(startMs + text.length * VOICE_MS_PER_CHAR, { type: 'playoutDone', speechId })
    }
    if (command.type !== 'startLlm') return
    const { requestId } = command
    const isInquiry = requestId.startsWith('who-')
    if (isInquiry) inquiries += 1
    const text = isInquiry ? await answerOf(options.model, command) : 'This is Ava.'
    const told = { type: 'llmText', requestId, text: text ?? '', model: 'm' } as const
    if (text === null) later(atMs + MODEL_MS, { type: 'llmFailed', requestId })
    else later(atMs + MODEL_MS, told, { type: 'llmDone', requestId })
  }

  for (const command of step.commands) await perform(command, 0)
  for (;;) {
    const next = due.reduce<Due | null>((a, b) => (a === null || b.atMs < a.atMs ? b : a), null)
    if (next === null || next.atMs > options.untilMs) break
    due.splice(due.indexOf(next), 1)
    const event = next.event()
    if (event === null) continue
    step = decideConversation(step.state, event)
    for (const command of step.commands) await perform(command, next.atMs)
  }
  return { verdicts, spokeAtMs, inquiries }
}

type Untimed = ConversationEvent extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'atMs'>
    : never
  : never

async function answerOf(
  model: LanguageModel | null,
  command: ConversationCommand & { readonly type: 'startLlm' },
): Promise<string | null> {
  if (model === null) return null
  const { messages, tools } = command
  const request = {
    model: { type: 'dedicated-instance', name: 'dedicated_model_1' },
    messages,
    tools,
  } as const
  let text = ''
  for await (const delta of model.stream(request, new AbortController().signal)) {
    if (delta.type === 'text') text += delta.text
  }
  return text
}
