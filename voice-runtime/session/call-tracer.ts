import type { Span } from '#shared/ports/traces.ts'

import type { ConversationCommand } from '../engine/conversation-command.ts'
import type { ConversationEvent } from '../engine/conversation-event.ts'

/** A longer call is traced up to there. */
const SPANS_MAX = 2_000
const CALL = 0

type Attributes = Span['attributes']
interface OpenSpan {
  readonly name: string
  readonly parent: number | null
  readonly startAtMs: number
  attributes: Attributes
  readonly events: { name: string; atMs: number }[]
  endAtMs: number | null
  isError: boolean
}

/**
 * The spans of one call, from what its conversation was told and decided: the call, each turn of
 * callee and agent, and in the agent's turns each request to the model, tool and piece of speech.
 */
export class CallTracer {
  readonly #spans: OpenSpan[] = []
  /** Open work by its name. */
  readonly #open = new Map<string, number>()
  #turn: number | null = null
  #lastAtMs = 0

  constructor() {
    this.#begin('call', null, 0)
  }

  note(event: ConversationEvent, commands: readonly ConversationCommand[]): void {
    this.#lastAtMs = Math.max(this.#lastAtMs, event.atMs)
    this.#hear(event)
    for (const command of commands) this.#perform(command, event.atMs)
  }

  /** All of them; what is still open ends with the call. */
  finish(attributes: Attributes): readonly Span[] {
    const call = this.#spans[CALL]
    if (call !== undefined) call.attributes = attributes
    return this.#spans.map((span) => ({ ...span, endAtMs: span.endAtMs ?? this.#lastAtMs }))
  }

  #hear(event: ConversationEvent): void {
    const { atMs } = event
    switch (event.type) {
      case 'llmText':
        return this.#mark(event.requestId, 'first_token', atMs, { 'llm.model': event.model })
      case 'llmDone':
        return this.#end(event.requestId, atMs)
      case 'llmFailed':
        return this.#end(event.requestId, atMs, { isError: true })
      case 'toolAnswered':
        return this.#end(event.callId, atMs, { isError: event.isError })
      case 'speechReady':
        return this.#mark(event.speechId, 'first_audio', atMs, { 'tts.ttfb_ms': event.ttfbMs })
      case 'playoutStarted':
        return this.#mark(event.speechId, 'audible', atMs)
      case 'playoutDone':
        return this.#end(event.speechId, atMs)
      case 'playoutFlushed':
        return this.#end(event.speechId, atMs, { attributes: { 'speech.was_cut': true } })
      case 'speechFailed':
        return this.#end(event.speechId, atMs, { isError: true })
      case 'recogniserFailed':
      case 'modelFailed':
      case 'modelLost':
        this.#spans[CALL]?.events.push({ name: event.type, atMs })
        return
      default:
        return
    }
  }

  #perform(command: ConversationCommand, atMs: number): void {
    switch (command.type) {
      case 'startLlm':
        return this.#work('llm', command.requestId, atMs)
      case 'cancelLlm':
        return this.#end(command.requestId, atMs, { attributes: { 'llm.was_cancelled': true } })
      case 'callTool':
        return this.#work('tool', command.callId, atMs, { 'tool.name': command.name })
      case 'cancelTool':
        return this.#end(command.callId, atMs, { attributes: { 'tool.was_cancelled': true } })
      case 'speak':
        return this.#work('speech', command.speechId, atMs)
      case 'queueUtterance':
        return this.#work('speech', command.utterance, atMs)
      case 'emitSpeechEvent':
        return this.#endTurn(command.event, atMs)
      default:
        return
    }
  }

  #work(name: string, id: string, atMs: number, attributes: Attributes = {}): void {
    this.#turn ??= this.#begin('agent turn', CALL, atMs)
    const span = this.#begin(name, this.#turn, atMs, attributes)
    if (span !== null) this.#open.set(id, span)
  }

  #endTurn(
    event: Extract<ConversationCommand, { type: 'emitSpeechEvent' }>['event'],
    atMs: number,
  ): void {
    if (event.speaker === 'user') {
      const attributes = { 'turn.is_real': event.isRealTurn }
      const span = this.#begin('user turn', CALL, event.startedSpeakingAtMs, attributes)
      if (span !== null) this.#spans[span]!.endAtMs = event.stoppedSpeakingAtMs ?? atMs
      return
    }
    const turn = this.#turn === null ? undefined : this.#spans[this.#turn]
    this.#turn = null
    if (turn === undefined) return
    turn.endAtMs = Math.max(turn.startAtMs, event.stoppedSpeakingAtMs ?? atMs)
    turn.events.push({ name: 'audible', atMs: event.startedSpeakingAtMs })
    turn.attributes = {
      'turn.was_cut': event.wasCut === true,
      ...(event.llmTtftMs !== null && { 'llm.ttft_ms': event.llmTtftMs }),
      ...(event.llmWinnerModel !== null && { 'llm.model': event.llmWinnerModel }),
      ...(event.ttsTtfbMs !== null && { 'tts.ttfb_ms': event.ttsTtfbMs }),
    }
  }

  #begin(
    name: string,
    parent: number | null,
    startAtMs: number,
    attributes: Attributes = {},
  ): number | null {
    if (this.#spans.length >= SPANS_MAX) return null
    const span = { name, parent, startAtMs, attributes, events: [], endAtMs: null, isError: false }
    return this.#spans.push(span) - 1
  }

  #mark(id: string, name: string, atMs: number, attributes: Attributes = {}): void {
    const span = this.#spans[this.#open.get(id) ?? -1]
    if (span === undefined || span.events.some((event) => event.name === name)) return
    span.events.push({ name, atMs })
    span.attributes = { ...span.attributes, ...attributes }
  }

  #end(
    id: string,
    atMs: number,
    end: { readonly isError?: boolean; readonly attributes?: Attributes } = {},
  ): void {
    const span = this.#spans[this.#open.get(id) ?? -1]
    this.#open.delete(id)
    if (span === undefined) return
    span.endAtMs = atMs
    span.isError = end.isError ?? false
    span.attributes = { ...span.attributes, ...end.attributes }
  }
}
