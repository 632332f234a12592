import type { CalleeClipId } from '#shared/audio/clips/callee-clips.ts'

/** What a callee notices. `atMs` counts from the moment the callee picked up. */
export type CalleeEvent = { readonly atMs: number } & (
  | { readonly type: 'answered' }
  | { readonly type: 'agentSpeechStarted'; readonly startedAtMs: number }
  | { readonly type: 'agentSpeechEnded'; readonly endedAtMs: number }
  /** Only when the agent's voice is one that the callee's ears understand. */
  | { readonly type: 'agentWords'; readonly text: string }
  /** The agent has pressed a key. */
  | { readonly type: 'agentKey'; readonly digit: string }
  | { readonly type: 'clipFinished'; readonly clip: CalleeClipId }
  | { readonly type: 'beepFinished' }
  | { readonly type: 'timer'; readonly name: CalleeTimer }
)

export type CalleeAction =
  /** Said after everything that the callee is already saying. */
  | { readonly type: 'playClip'; readonly clip: CalleeClipId }
  | { readonly type: 'playBeep' }
  | { readonly type: 'sendDtmf'; readonly digits: string }
  /** Replaces a timer of the same name that is still running. */
  | { readonly type: 'setTimer'; readonly name: CalleeTimer; readonly inMs: number }
  | { readonly type: 'hangUp' }

export type CalleeTimer = 'speak' | 'reply' | 'interject' | 'silence' | 'hangUp'

export interface Reaction<State> {
  readonly state: State
  readonly actions: readonly CalleeAction[]
}

/** How somebody, or some machine, behaves who took the call. `react` is pure. */
export interface Callee<State = unknown> {
  readonly initial: State
  react(state: State, event: CalleeEvent): Reaction<State>
}
