import type { EndedBy, EndReason } from '#shared/domain/call-attempt/attempt.ts'

import type { ConversationCommand } from '../engine/conversation-command.ts'
import type { ConversationEvent } from '../engine/conversation-event.ts'

/** What somebody who watches a call live wants to see of it. `atMs` is ms of the session. */
export type SessionObservation = { readonly atMs: number } & (
  | { readonly kind: 'speaking'; readonly text: string }
  | { readonly kind: 'said'; readonly text: string }
  /** Cut short; `text` is what the callee heard of it. */
  | { readonly kind: 'interrupted'; readonly text: string }
  | { readonly kind: 'heard'; readonly text: string }
  | ({ readonly kind: 'latency' } & TurnLatency)
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'ended'; readonly endedBy: EndedBy; readonly endReason: EndReason | null }
)

/** Where the time between two speakers went, in ms; null where the turn had no such part. */
export interface TurnLatency {
  /** From the last speech of the callee to the decision to answer. */
  readonly endOfTurnMs: number | null
  /** From the decision to the first text of the model. */
  readonly llmTtftMs: number | null
  /** From the first sentence to its first audio. */
  readonly ttsTtfbMs: number | null
  /** From the decision to the first audio on the wire. */
  readonly firstAudioMs: number
}

interface Turn {
  readonly requestId: string
  readonly decidedAtMs: number
  readonly endOfTurnMs: number | null
  llmTtftMs: number | null
  ttsTtfbMs: number | null
  speechId: string | null
}

/** Derives the observations of one call from what goes into its conversation and comes out. */
export class SessionObserver {
  readonly #observe: (observation: SessionObservation) => void
  readonly #texts = new Map<string, string>()
  #turn: Turn | null = null
  #speechEndedAtMs: number | null = null

  constructor(observe: (observation: SessionObservation) => void) {
    this.#observe = observe
  }

  event(event: ConversationEvent): void {
    const { atMs } = event
    switch (event.type) {
      case 'speechEnded':
        this.#speechEndedAtMs = event.endedAtMs
        break
      case 'finalTranscript':
        this.#observe({ atMs, kind: 'heard', text: event.text })
        break
      case 'llmText':
        if (this.#turn?.requestId === event.requestId) {
          this.#turn.llmTtftMs ??= atMs - this.#turn.decidedAtMs
        }
        break
      case 'modelText':
        this.#texts.set(event.utterance, (this.#texts.get(event.utterance) ?? '') + event.text)
        break
      case 'speechReady':
        if (this.#turn?.speechId === event.speechId) this.#turn.ttsTtfbMs = event.ttfbMs
        break
      case 'playoutStarted':
        this.#closeTurn(event.speechId, atMs)
        this.#observe({ atMs, kind: 'speaking', text: this.#texts.get(event.speechId) ?? '' })
        break
      case 'playoutDone':
        this.#observe({ atMs, kind: 'said', text: this.#takeText(event.speechId) })
        break
      case 'playoutFlushed':
        this.#texts.clear()
        this.#observe({ atMs, kind: 'interrupted', text: event.heardText })
        break
      default:
        break
    }
  }

  command(command: ConversationCommand, atMs: number): void {
    switch (command.type) {
      case 'startLlm':
        this.#openTurn(command.requestId, atMs)
        break
      case 'cancelLlm':
        if (this.#turn?.requestId === command.requestId) this.#turn = null
        break
      case 'speak':
        this.#texts.set(command.speechId, command.text)
        if (this.#turn !== null) this.#turn.speechId ??= command.speechId
        break
      case 'callTool':
        this.#observe({ atMs, kind: 'tool', name: command.name })
        break
      case 'finish':
        this.#observe({
          atMs,
          kind: 'ended',
          endedBy: command.endedBy,
          endReason: command.endReason,
        })
        break
      default:
        break
    }
  }

  #openTurn(requestId: string, atMs: number): void {
    const endOfTurnMs = this.#speechEndedAtMs === null ? null : atMs - this.#speechEndedAtMs
    this.#turn = {
      requestId,
      decidedAtMs: atMs,
      endOfTurnMs,
      llmTtftMs: null,
      ttsTtfbMs: null,
      speechId: null,
    }
  }

  #closeTurn(speechId: string, atMs: number): void {
    if (this.#turn?.speechId !== speechId) return
    const { endOfTurnMs, llmTtftMs, ttsTtfbMs, decidedAtMs } = this.#turn
    this.#turn = null
    this.#speechEndedAtMs = null
    const firstAudioMs = atMs - decidedAtMs
    this.#observe({ atMs, kind: 'latency', endOfTurnMs, llmTtftMs, ttsTtfbMs, firstAudioMs })
  }

  #takeText(speechId: string): string {
    const text = this.#texts.get(speechId) ?? ''
    this.#texts.delete(speechId)
    return text
  }
}
