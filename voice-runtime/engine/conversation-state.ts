/**
 * Everything a conversation knows: plain immutable data that survives JSON, so that a stored event
 * log can be replayed. Only `decideConversation` makes a new one.
 */

import type { AttemptResult, EndedBy, EndReason } from '#shared/domain/call-attempt/attempt.ts'
import type { ChatMessage, ToolCall } from '#shared/domain/chat.ts'

import type { ConversationCommand } from './conversation-command.ts'
import type { TimerName } from './conversation-event.ts'
import type { Endpointing } from './endpointing.ts'
import type { HistoryItem } from './history.ts'
import type { ConversationSettings } from './settings.ts'

/** What each phase means, and how it is entered and left, stands at the head of `conversation.ts`. */
export type Phase =
  | 'greeting'
  | 'opening'
  | 'listening'
  | 'thinking'
  | 'speaking'
  | 'realtime'
  | 'machine'
  | 'gate'
  | 'closing'
  | 'ended'

/** All times are ms since the media session began; time never runs backwards in here. */
export interface ConversationState {
  readonly settings: ConversationSettings
  readonly phase: Phase
  /** Of the latest event. */
  readonly atMs: number
  /** Who answered, as last told to the session. */
  readonly result: AttemptResult | null
  /** When the floor was first free for the agent; null before. */
  readonly openedAtMs: number | null
  readonly greeting: Greeting
  /** What the carrier's own detection holds of who answered. */
  readonly carrier: 'human' | 'machine' | null
  /** The model is asked who answered. */
  readonly inquiry: Inquiry | null
  /** A screening assistant or a phone menu stands before the person. */
  readonly gate: Gate | null
  readonly hearing: Hearing
  readonly user: UserTurn
  /** The turn that the agent prepares or speaks. */
  readonly agent: AgentTurn | null
  /** A turn that was stopped, until the session tells how much of it was heard. */
  readonly stopped: AgentTurn | null
  /** When the agent's last turn ended. */
  readonly agentStoppedAtMs: number | null
  /** What to say if the sound that stopped the agent was no interruption. */
  readonly resume: Resume | null
  readonly llm: LlmRequest | null
  /** A speech-to-speech model has the conversation; null until then. */
  readonly realtime: Realtime | null
  /** Tools called by a turn that is over, and not answered yet. */
  readonly lateTools: readonly ToolUse[]
  readonly history: readonly HistoryItem[]
  readonly endpointing: Endpointing
  readonly inactivityPrompts: number
  /** The person has asked never to be called again. */
  readonly isOptedOut: boolean
  /** Turns in a row that a vendor's failure spoiled. */
  readonly failures: number
  readonly closing: Closing | null
  /** When each running timer is due. */
  readonly timers: Readonly<Partial<Record<TimerName, number>>>
  /** Up to here the callee's words were taken as they were guessed: what is recognised of them later is known. */
  readonly guessedUntilMs: number
  readonly llmCount: number
  readonly speechCount: number
  readonly turnCount: number
}

export interface Step {
  readonly state: ConversationState
  readonly commands: readonly ConversationCommand[]
}

/** A part of the reducer: the state already holds the time and what was heard. */
export type Rule = (state: ConversationState) => Step

export interface Greeting {
  /** When the call was answered. */
  readonly sinceMs: number
  /** How long the callee has spoken before the agent did. */
  readonly speechMs: number
  /** What a model made of it; `asked` until it has answered. */
  readonly opinion: AttemptResult | 'asked' | null
}

export interface Inquiry {
  readonly id: string
  /** Of the answer, so far. */
  readonly text: string
}

export interface Gate {
  readonly kind: 'IVR' | 'handset-screening-filter'
  /** What it said each time, for recognising a loop. */
  readonly prompts: readonly string[]
  /** How often it was answered. */
  readonly answers: number
}

export interface Hearing {
  /** Words of this callee were recognised: sound without words means little. */
  readonly isUnderstood: boolean
  /** The VAD hears speech now. */
  readonly isSpeech: boolean
  /** Begin of the latest stretch of speech. */
  readonly startedAtMs: number
  /** The last moment of sound that is known to be speech; null before the first. */
  readonly lastAtMs: number | null
}

/** What the callee has said and nobody has answered yet. */
export interface UserTurn {
  readonly startedAtMs: number | null
  readonly stoppedAtMs: number | null
  /** The VAD heard it too; a recogniser alone may be late about its end. */
  readonly isDetected: boolean
  readonly pieces: readonly Piece[]
  readonly interim: string
  /** The recogniser holds the turn for finished. */
  readonly isHinted: boolean
}

/** One final transcript. */
export interface Piece {
  readonly text: string
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly receivedAtMs: number
}

/** `gate`: said, or pressed, for a machine that stands before the person. */
export type TurnPurpose = 'opening' | 'answer' | 'prompt' | 'gate' | 'farewell'

export interface AgentTurn {
  readonly purpose: TurnPurpose
  /** Speeches and tool uses in the order in which they came. */
  readonly parts: readonly TurnPart[]
  /** Text of the model that is no whole sentence yet. */
  readonly pendingText: string
  readonly toolRounds: number
  readonly fillers: number
  /** The model has called `end_call`. */
  readonly isEnding: boolean
  readonly isVoiceRetried: boolean
  /** The model is asked once the tools of earlier turns have answered. */
  readonly isWaitingForTools: boolean
  /** What the model is told for this turn alone. */
  readonly note: string | null
  /** Counts the turns of the agent. */
  readonly number: number
  /** The words of the callee that it answers. */
  readonly answers: string
  /** Prepared while the callee may still go on: it is not played before their turn is over. */
  readonly isHeld: boolean
  /** Tools that it will call once it is not held any more. */
  readonly heldCalls: readonly ToolCall[]
  readonly startedAtMs: number | null
  readonly stoppedAtMs: number | null
  readonly wasCut: boolean
  readonly llmPrompt: string | null
  readonly llmTtftMs: number | null
  readonly llmModel: string | null
  readonly ttsTtfbMs: number | null
}

export type TurnPart = Speech | ToolUse

export interface Speech {
  readonly type: 'speech'
  readonly id: string
  readonly text: string
  readonly status: 'queued' | 'ready' | 'playing' | 'over'
  /** Fills a silence: the model's answer is still to come. */
  readonly isFiller: boolean
  /** A speech-to-speech model says it itself; its words come while it speaks. */
  readonly isModels: boolean
  readonly heardText: string
}

export interface ToolUse {
  readonly type: 'tool'
  readonly call: ToolCall
  /** Null until the tool has answered. */
  readonly answer: { readonly output: string; readonly isError: boolean } | null
}

export interface LlmRequest {
  readonly id: string
  readonly messages: readonly ChatMessage[]
  readonly startedAtMs: number
  readonly lastDeltaAtMs: number
  readonly isRetry: boolean
  readonly hasSpoken: boolean
  readonly toolCalls: readonly ToolCall[]
}

export interface Realtime {
  /** Utterances of which no more is wanted. */
  readonly cut: readonly string[]
  /** When the model last began to speak. */
  readonly begunAtMs: number | null
  /** When it was last asked, or told something that it should answer. */
  readonly askedAtMs: number | null
  /** Of its `end_call`. */
  readonly endCallId: string | null
  /** How often the wait for it was filled. */
  readonly fillers: number
}

export interface Resume {
  readonly texts: readonly string[]
  /** The model had not finished: it is asked to go on instead. */
  readonly isUnfinished: boolean
  readonly isEnding: boolean
}

export interface Closing {
  readonly endedBy: EndedBy
  readonly endReason: EndReason | null
}
