/** What the callee hears of the agent. */

import { cancelLlm, flushQueued, nextSpeech, say, stopAgent, watchVoice } from './agent-turn.ts'
import { close, conclude } from './closing.ts'
import type { ConversationEvent } from './conversation-event.ts'
import type { AgentTurn, ConversationState, Phase, Rule, Speech } from './conversation-state.ts'
import { interruptBySound, watchFloor } from './floor.ts'
import { listen } from './listening.ts'
import { inOrder, nothing } from './step.ts'
import { MAX_FAILURES } from './thinking.ts'
import { disarm } from './timers.ts'
import { endTurnIfOver } from './turn-end.ts'
import { commitUserTurn, settleStopped, speechesOf } from './turn-record.ts'

type Of<Type extends ConversationEvent['type']> = ConversationEvent & { readonly type: Type }

function openSpeech(turn: AgentTurn | null, speechId: string): Speech | undefined {
  if (turn === null) return undefined
  return speechesOf(turn).find(({ id, status }) => id === speechId && status !== 'over')
}

function withSpeech(turn: AgentTurn, speechId: string, patch: Partial<Speech>): AgentTurn {
  const parts = turn.parts.map((part) =>
    part.type === 'speech' && part.id === speechId ? { ...part, ...patch } : part,
  )
  return { ...turn, parts }
}

export function hearSpeechReady(event: Of<'speechReady'>): Rule {
  return (state) => {
    const { agent } = state
    if (agent === null || openSpeech(agent, event.speechId)?.status !== 'queued') {
      return nothing(state)
    }
    const ready = withSpeech(agent, event.speechId, { status: 'ready' })
    const ttsTtfbMs = agent.ttsTtfbMs ?? event.ttfbMs
    return watchVoice({ ...state, agent: { ...ready, ttsTtfbMs } })
  }
}

export function hearPlayoutStarted(event: Of<'playoutStarted'>): Rule {
  return (state) => {
    const { agent } = state
    const speech = openSpeech(agent, event.speechId)
    if (agent === null || speech === undefined || speech.status === 'playing') return nothing(state)
    const playing = withSpeech(agent, event.speechId, { status: 'playing' })
    return inOrder(
      { ...state, agent: { ...playing, stoppedAtMs: null } },
      becomeAudible,
      watchVoice,
    )
  }
}

/** Phases in which what the agent says makes no difference. */
const OWN_PHASES: ReadonlySet<Phase> = new Set(['closing', 'gate', 'realtime'])

/** From the first frame on, the callee's turn before it is answered. */
const becomeAudible: Rule = (state) => {
  const { agent } = state
  if (agent === null || agent.startedAtMs !== null) return nothing(state)
  return inOrder(
    {
      ...state,
      agent: { ...agent, startedAtMs: state.atMs },
      phase: OWN_PHASES.has(state.phase) ? state.phase : 'speaking',
      failures: agent.llmModel === null ? state.failures : 0,
    },
    settleStopped,
    // What is only guessed is recognised in a moment.
    state.user.interim === '' ? commitUserTurn : nothing,
    disarm('opening', 'machine', 'endpoint'),
  )
}

export function hearPlayoutDone(event: Of<'playoutDone'>): Rule {
  return (state) => {
    const { agent, stopped, atMs } = state
    const own = openSpeech(agent, event.speechId)
    if (agent !== null && own !== undefined) {
      const heard = withSpeech(agent, own.id, { status: 'over', heardText: own.text })
      return inOrder(
        { ...state, agent: { ...heard, stoppedAtMs: atMs } },
        becomeAudible,
        watchVoice,
        endTurnIfOver,
      )
    }
    const cut = openSpeech(stopped, event.speechId)
    if (stopped === null || cut?.status !== 'playing') return nothing(state)
    // It was through before the flush could cut it.
    return settleAs({ stopped, speechId: cut.id, heardText: cut.text })(state)
  }
}

export function hearPlayoutFlushed(event: Of<'playoutFlushed'>): Rule {
  return (state) => {
    const { agent, stopped } = state
    const { speechId, heardText } = event
    if (stopped !== null && openSpeech(stopped, speechId) !== undefined) {
      return settleAs({ stopped, speechId, heardText })(state)
    }
    if (agent === null || openSpeech(agent, speechId) === undefined) return nothing(state)
    // Not asked for: the session has stopped on its own, for example because the callee is gone.
    const heard = withSpeech(agent, speechId, { status: 'over', heardText })
    const cut = { ...heard, stoppedAtMs: state.atMs, wasCut: true }
    const next = state.closing === null ? stopAndListen : conclude
    return inOrder({ ...state, agent: cut }, becomeAudible, next)
  }
}

const stopAndListen: Rule = (state) => inOrder(state, stopAgent, listen)

function settleAs(end: {
  readonly stopped: AgentTurn
  readonly speechId: string
  readonly heardText: string
}): Rule {
  return (state) => {
    const heard = withSpeech(end.stopped, end.speechId, {
      status: 'over',
      heardText: end.heardText,
    })
    const stopped = { ...heard, stoppedAtMs: state.atMs }
    return inOrder({ ...state, stopped }, settleStopped, goOnAfterStop)
  }
}

/** Now it is known what was heard. */
const goOnAfterStop: Rule = (state) => {
  if (state.phase === 'listening') return watchFloor(state)
  return state.phase === 'closing' && state.agent === null ? conclude(state) : nothing(state)
}

/** The next speech has had no audio for too long. */
export const voiceTimedOut: Rule = (state) => {
  const next = state.agent === null ? undefined : nextSpeech(state.agent)
  return next?.status === 'queued' ? failVoice(state) : nothing(state)
}

export function hearSpeechFailed(event: Of<'speechFailed'>): Rule {
  return (state) => {
    const { agent } = state
    const failed = openSpeech(agent, event.speechId)
    if (agent === null || failed === undefined) return nothing(state)
    if (failed.status === 'playing') return breakOff(state)
    if (failed.id === nextSpeech(agent)?.id) return failVoice(state)
    const skipped = withSpeech(agent, failed.id, { status: 'over' })
    return inOrder({ ...state, agent: skipped }, endTurnIfOver)
  }
}

/** The voice broke in the middle of a speech: like a noise that stopped the agent. */
const breakOff: Rule = (state) => {
  if (state.closing !== null) return conclude(state)
  const failures = state.failures + 1
  const failed = { ...state, failures }
  if (failures >= MAX_FAILURES) return close({ endedBy: 'system', endReason: null }, null)(failed)
  return interruptBySound(failed)
}

/** All that is unheard is asked of the voice once more, then given up. */
const failVoice: Rule = (state) => {
  const { agent } = state
  if (agent === null) return nothing(state)
  const unheard = speechesOf(agent).filter(({ status }) => status !== 'over')
  if (!agent.isVoiceRetried) {
    const parts = agent.parts.filter((part) => part.type === 'tool' || part.status === 'over')
    return inOrder(
      { ...state, agent: { ...agent, parts, isVoiceRetried: true } },
      disarm('ttsFirstAudio'),
      flushQueued,
      say(unheard.map(({ text }) => text)),
    )
  }
  const parts = agent.parts.map((part) =>
    part.type === 'speech' ? { ...part, status: 'over' as const } : part,
  )
  return inOrder(
    { ...state, agent: { ...agent, parts } },
    disarm('ttsFirstAudio'),
    cancelLlm,
    flushQueued,
    isMute(agent) ? countMuteTurn : nothing,
    endTurnIfOver,
  )
}

function isMute(turn: AgentTurn): boolean {
  return turn.startedAtMs === null
}

const countMuteTurn: Rule = (state: ConversationState) => {
  const failures = state.failures + 1
  const failed = { ...state, failures }
  if (failures < MAX_FAILURES || state.closing !== null) return { state: failed, commands: [] }
  return close({ endedBy: 'system', endReason: null }, null)(failed)
}
