/** What the callee is saying: how sound and recognised words make a turn. */

import type { ConversationEvent } from './conversation-event.ts'
import type { ConversationState, Piece, UserTurn } from './conversation-state.ts'
import { learnPause } from './endpointing.ts'
import { joinText } from './history.ts'

export const NO_USER_TURN: UserTurn = {
  startedAtMs: null,
  stoppedAtMs: null,
  isDetected: false,
  pieces: [],
  interim: '',
  isHinted: false,
}

/** Finals of one turn beyond this are joined to the last one. */
const MAX_PIECES = 100

export function userText(user: UserTurn): string {
  return joinText(user.pieces.map((piece) => piece.text))
}

/** With what is only guessed so far. */
export function guessedText(user: UserTurn): string {
  return joinText([userText(user), user.interim])
}

/** The state after sound or words; who may answer to them is decided by the phase. */
export function hear(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event.type) {
    case 'speechStarted':
      return state.hearing.isSpeech ? state : hearSpeechStart(state, event.startedAtMs)
    case 'speechEnded':
      return state.hearing.isSpeech ? hearSpeechEnd(state, event.endedAtMs) : state
    case 'interimTranscript':
      return event.text.trim() === state.user.interim
        ? state
        : hearInterim(state, event.text.trim())
    case 'finalTranscript':
      return event.text.trim() === '' || isKnown(state, event.endedAtMs)
        ? { ...state, user: { ...state.user, interim: '' } }
        : hearFinal(state, event)
    case 'endOfTurnHint':
      return guessedText(state.user) === ''
        ? state
        : { ...state, user: { ...state.user, isHinted: true } }
    default:
      return state
  }
}

/** Recogniser and VAD do not agree to the ms about the end of a word. */
const SAME_END_MS = 300

/** Whether words that ended then were taken for said when they were only guessed. */
function isKnown(state: ConversationState, endedAtMs: number): boolean {
  return endedAtMs <= state.guessedUntilMs + SAME_END_MS && state.guessedUntilMs > 0
}

function hearSpeechStart(state: ConversationState, vadStartMs: number): ConversationState {
  const { user, hearing } = state
  const startedAtMs = Math.min(vadStartMs, state.atMs)
  return {
    ...state,
    endpointing: withPause(state, startedAtMs),
    hearing: { ...hearing, isSpeech: true, startedAtMs },
    user: {
      ...user,
      startedAtMs: user.startedAtMs ?? startedAtMs,
      stoppedAtMs: null,
      isDetected: true,
      isHinted: false,
    },
  }
}

/** A pause is learned from only when the caller goes on with a turn that has words. */
function withPause(
  state: ConversationState,
  startedAtMs: number,
): ConversationState['endpointing'] {
  const { user, endpointing, settings } = state
  const isOpenTurn = state.phase === 'listening' || state.phase === 'thinking'
  if (!isOpenTurn || user.stoppedAtMs === null || guessedText(user) === '') return endpointing
  const pauseMs = startedAtMs - user.stoppedAtMs
  // Whoever speaks up after a long silence begins anew.
  if (pauseMs > settings.timing.endpointMaxMs) return endpointing
  return learnPause(endpointing, pauseMs, settings.timing)
}

function hearSpeechEnd(state: ConversationState, vadEndMs: number): ConversationState {
  const { hearing } = state
  const endedAtMs = Math.max(hearing.startedAtMs, Math.min(vadEndMs, state.atMs))
  const lastAtMs = Math.max(hearing.lastAtMs ?? endedAtMs, endedAtMs)
  return {
    ...state,
    hearing: { ...hearing, isSpeech: false, lastAtMs },
    user: { ...state.user, stoppedAtMs: endedAtMs },
  }
}

function hearInterim(state: ConversationState, text: string): ConversationState {
  const { user, hearing } = state
  // Without a VAD the arrival of words is the only sign that somebody speaks.
  const lastAtMs = user.isDetected || text === '' ? hearing.lastAtMs : state.atMs
  return {
    ...state,
    hearing: { ...hearing, lastAtMs, isUnderstood: hearing.isUnderstood || text !== '' },
    user: { ...user, interim: text, isHinted: text === '' && user.isHinted },
  }
}

function hearFinal(
  state: ConversationState,
  event: ConversationEvent & { readonly type: 'finalTranscript' },
): ConversationState {
  const { user, hearing } = state
  const endedAtMs = Math.min(event.endedAtMs, state.atMs)
  const startedAtMs = Math.min(event.startedAtMs, endedAtMs)
  const piece: Piece = {
    text: event.text.trim(),
    startedAtMs,
    endedAtMs,
    receivedAtMs: state.atMs,
  }
  return {
    ...state,
    hearing: {
      ...hearing,
      isUnderstood: true,
      lastAtMs: Math.max(hearing.lastAtMs ?? endedAtMs, endedAtMs),
    },
    user: {
      ...user,
      startedAtMs: user.startedAtMs ?? startedAtMs,
      stoppedAtMs: hearing.isSpeech ? null : Math.max(user.stoppedAtMs ?? endedAtMs, endedAtMs),
      pieces: withPiece(user.pieces, piece),
      interim: '',
    },
  }
}

function withPiece(pieces: readonly Piece[], piece: Piece): readonly Piece[] {
  const last = pieces.at(-1)
  if (last === undefined || pieces.length < MAX_PIECES) return [...pieces, piece]
  return [...pieces.slice(0, -1), { ...piece, text: joinText([last.text, piece.text]) }]
}

/** Takes what was only guessed for said: its final does not come. */
export function adoptInterim(state: ConversationState): ConversationState {
  const { user, atMs } = state
  if (user.interim === '') return state
  const endedAtMs = user.stoppedAtMs ?? atMs
  const startedAtMs = Math.min(user.startedAtMs ?? endedAtMs, endedAtMs)
  const piece: Piece = { text: user.interim, startedAtMs, endedAtMs, receivedAtMs: atMs }
  const pieces = withPiece(user.pieces, piece)
  return { ...state, user: { ...user, startedAtMs, pieces, interim: '' } }
}
