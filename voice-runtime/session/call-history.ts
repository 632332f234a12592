import { createHash } from 'node:crypto'

import type { ConversationCommand } from '../engine/conversation-command.ts'
import type { ConversationEvent } from '../engine/conversation-event.ts'
import { replay } from '../engine/replay.ts'
import type { ReplayedStep } from '../engine/replay.ts'
import type { ConversationSettings } from '../engine/settings.ts'

/** What is kept of a conversation; of a longer one, its beginning. */
const STEPS_MAX = 100_000
const DIGEST_CHARS = 12

/** All that a conversation was told, and what it decided each time: enough to hold it once more. */
export interface CallHistory {
  readonly settings: ConversationSettings
  readonly startedAtMs: number
  /** What it decided at its start. */
  readonly start: string
  readonly steps: readonly HistoryStep[]
}

export interface HistoryStep {
  readonly event: ConversationEvent
  /** Digest of the commands; empty when there were none. */
  readonly commands: string
}

/** Takes down a conversation while it is held. */
export class HistoryRecorder {
  readonly #steps: HistoryStep[] = []
  readonly #settings: ConversationSettings
  #startedAtMs = 0
  #start = ''

  constructor(settings: ConversationSettings) {
    this.#settings = settings
  }

  start(atMs: number, commands: readonly ConversationCommand[]): void {
    this.#startedAtMs = atMs
    this.#start = digestOf(commands)
  }

  note(event: ConversationEvent, commands: readonly ConversationCommand[]): void {
    if (this.#steps.length < STEPS_MAX) this.#steps.push({ event, commands: digestOf(commands) })
  }

  history(): CallHistory {
    const settings = this.#settings
    return { settings, startedAtMs: this.#startedAtMs, start: this.#start, steps: this.#steps }
  }
}

/** One line about the call, then one for each event. */
export function historyText({ steps, ...call }: CallHistory): string {
  return [{ version: 1, ...call }, ...steps].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Reads `historyText`. Throws on anything else, with the number of the line. */
export function readHistory(text: string): CallHistory {
  const [head, ...steps] = text.split('\n').filter((line) => line !== '')
  const { version: _version, ...call } = readLine<Head>(head ?? '', 0, isHead)
  return { ...call, steps: steps.map((line, index) => readLine(line, index + 1, isStep)) }
}

type Head = Omit<CallHistory, 'steps'> & { readonly version: 1 }

function readLine<Line>(text: string, index: number, isLine: (line: Line) => boolean): Line {
  try {
    const line = JSON.parse(text) as Line
    if (isLine(line)) return line
  } catch (cause) {
    throw new Error(`line ${index + 1} is none of a call's history`, { cause })
  }
  throw new Error(`line ${index + 1} is none of a call's history`)
}

function isHead(line: Head): boolean {
  const { version, settings, start }: Partial<Head> = line
  return version === 1 && typeof settings?.timing === 'object' && typeof start === 'string'
}

function isStep(line: HistoryStep): boolean {
  const { event, commands }: Partial<HistoryStep> = line
  return typeof event?.type === 'string' && typeof commands === 'string'
}

export interface HeldStep extends ReplayedStep {
  /** Whether the conversation decided the same when it was held. */
  readonly isAsRecorded: boolean
}

/** The conversation, held again. */
export function holdAgain(history: CallHistory): HeldStep[] {
  const events = history.steps.map(({ event }) => event)
  const recorded = [history.start, ...history.steps.map(({ commands }) => commands)]
  return [...replay({ ...history, events })].map((step, index) => {
    return { ...step, isAsRecorded: digestOf(step.commands) === recorded[index] }
  })
}

/** The same history with what the conversation decides now. */
export function withDecisionsOfNow(history: CallHistory): CallHistory {
  const [start, ...digests] = holdAgain(history).map(({ commands }) => digestOf(commands))
  const steps = history.steps.map(({ event }, index) => ({ event, commands: digests[index] ?? '' }))
  return { ...history, start: start ?? '', steps }
}

function digestOf(commands: readonly ConversationCommand[]): string {
  if (commands.length === 0) return ''
  return createHash('sha256').update(JSON.stringify(commands)).digest('hex').slice(0, DIGEST_CHARS)
}
