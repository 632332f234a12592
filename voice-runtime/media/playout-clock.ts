import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { heardText } from '#shared/audio/heard-text.ts'
import type { SpokenWord } from '#shared/audio/word-times.ts'

/** mu-law: one byte is one sample. */
const BYTES_PER_MS = SAMPLES_PER_MS
/** Audio leaves in pieces of this length... */
const PIECE_MS = 100
/** ...at most this far ahead of what the callee hears (reference/media-spikes.md 5). */
const AHEAD_MS = 300
/** A mark that is this much overdue is taken for lost, and its audio for heard. */
const LOST_MARK_MS = 2_000
/** What lies under the voice fills gaps in steps of this length... */
const FILL_MS = 20
/** ...this far ahead. */
const FILL_AHEAD_MS = 100

/**
 * What was sent to a carrier that buffers, when it plays, and how much of it was heard. Holds
 * positions only; the audio itself lies with whoever performs the actions.
 */
export interface PlayoutState {
  /** In the order of playing; the first is the one that is being heard. */
  readonly speeches: readonly QueuedSpeech[]
  /** Sent, and not yet echoed. */
  readonly pieces: readonly SentPiece[]
  /** When the last piece sent will have been played. */
  readonly playsUntilMs: number
  readonly lastEchoAtMs: number
  /** Nothing more is sent for now. */
  readonly isHeld: boolean
  /** There is a sound under the voice: gaps are filled with it. */
  readonly isFilled: boolean
  /** Since when only filling has been sent; it is dropped for the sake of speech. */
  readonly fillsFromMs: number | null
}

export interface QueuedSpeech {
  readonly speechId: string
  readonly text: string
  readonly words: readonly SpokenWord[]
  readonly receivedBytes: number
  readonly sentBytes: number
  readonly heardBytes: number
  /** No more audio will come. */
  readonly isComplete: boolean
  readonly hasStarted: boolean
}

export interface SentPiece {
  readonly mark: string
  readonly speechId: string
  readonly fromByte: number
  readonly toByte: number
  readonly playsAtMs: number
}

export type PlayoutInput =
  | { readonly type: 'queued'; readonly speechId: string; readonly text: string }
  | {
      readonly type: 'received'
      readonly speechId: string
      readonly bytes: number
      readonly words: readonly SpokenWord[]
    }
  | { readonly type: 'completed'; readonly speechId: string }
  | { readonly type: 'echoed'; readonly mark: string }
  | { readonly type: 'held'; readonly isHeld: boolean }
  | { readonly type: 'filled'; readonly isFilled: boolean }
  | { readonly type: 'flushed' }
  | { readonly type: 'ticked' }

export type PlayoutAction =
  | ({ readonly type: 'send' } & SentPiece)
  /** Silence, but for what lies under it. */
  | { readonly type: 'fill'; readonly playsAtMs: number; readonly lengthMs: number }
  | { readonly type: 'clear'; readonly heardUntilMs: number }
  | { readonly type: 'started'; readonly speechId: string }
  | { readonly type: 'done'; readonly speechId: string }
  | {
      readonly type: 'cut'
      readonly speechId: string
      readonly heardText: string
      /** Of this speech. */
      readonly heardMs: number
    }

export interface PlayoutStep {
  readonly state: PlayoutState
  readonly actions: readonly PlayoutAction[]
}

export const EMPTY_PLAYOUT: PlayoutState = {
  speeches: [],
  pieces: [],
  playsUntilMs: 0,
  lastEchoAtMs: 0,
  isHeld: false,
  isFilled: false,
  fillsFromMs: null,
}

/**
 * What to send and what has been heard, at `nowMs` of the session. A mark after each piece is the
 * truth about hearing; inputs about a speech that is not queued (any more) change nothing.
 */
export function stepPlayout(state: PlayoutState, input: PlayoutInput, nowMs: number): PlayoutStep {
  if (input.type === 'flushed') return flush(state, nowMs)
  return settle(forgetLostMarks(apply(state, input, nowMs), nowMs), nowMs)
}

function apply(
  state: PlayoutState,
  input: Exclude<PlayoutInput, { type: 'flushed' }>,
  nowMs: number,
): PlayoutState {
  switch (input.type) {
    case 'queued': {
      const speech: QueuedSpeech = {
        speechId: input.speechId,
        text: input.text,
        words: [],
        receivedBytes: 0,
        sentBytes: 0,
        heardBytes: 0,
        isComplete: false,
        hasStarted: false,
      }
      return { ...state, speeches: [...state.speeches, speech] }
    }
    case 'received':
      return change(state, input.speechId, (speech) => ({
        ...speech,
        receivedBytes: speech.receivedBytes + input.bytes,
        words: [...speech.words, ...input.words],
      }))
    case 'completed':
      return change(state, input.speechId, (speech) => ({ ...speech, isComplete: true }))
    case 'echoed':
      return hearUpTo(
        state,
        state.pieces.findIndex((piece) => piece.mark === input.mark),
        nowMs,
      )
    case 'held':
      return { ...state, isHeld: input.isHeld }
    case 'filled':
      return { ...state, isFilled: input.isFilled }
    case 'ticked':
      return state
  }
}

function forgetLostMarks(state: PlayoutState, nowMs: number): PlayoutState {
  const isLost = (piece: SentPiece) => endOf(piece) + LOST_MARK_MS <= nowMs
  return hearUpTo(state, state.pieces.findLastIndex(isLost), nowMs)
}

/** Marks are echoed in order: one of them tells about all pieces before it too. */
function hearUpTo(state: PlayoutState, lastIndex: number, nowMs: number): PlayoutState {
  if (lastIndex === -1) return state
  const heard = state.pieces.slice(0, lastIndex + 1)
  const rest = { ...state, pieces: state.pieces.slice(lastIndex + 1), lastEchoAtMs: nowMs }
  return heard.reduce<PlayoutState>(
    (changed, piece) =>
      change(changed, piece.speechId, (speech) => ({ ...speech, heardBytes: piece.toByte })),
    rest,
  )
}

/** Sends what is due, then tells which speeches began and ended. */
function settle(state: PlayoutState, nowMs: number): PlayoutStep {
  const actions: PlayoutAction[] = []
  let current = state
  for (;;) {
    const unfilled = withoutFilling(current, nowMs)
    const piece = nextPiece(unfilled, nowMs)
    if (piece === null) break
    if (unfilled !== current) actions.push({ type: 'clear', heardUntilMs: nowMs })
    current = { ...unfilled, fillsFromMs: null }
    actions.push({ type: 'send', ...piece })
    current = {
      ...change(current, piece.speechId, (speech) => ({ ...speech, sentBytes: piece.toByte })),
      pieces: [...current.pieces, piece],
      playsUntilMs: endOf(piece),
    }
  }
  while (current.isFilled && current.playsUntilMs - nowMs < FILL_AHEAD_MS) {
    const playsAtMs = Math.max(nowMs, current.playsUntilMs)
    actions.push({ type: 'fill', playsAtMs, lengthMs: FILL_MS })
    const fillsFromMs = current.fillsFromMs ?? playsAtMs
    current = { ...current, playsUntilMs: playsAtMs + FILL_MS, fillsFromMs }
  }
  for (;;) {
    const [head, ...others] = current.speeches
    if (head === undefined) break
    if (head.sentBytes > 0 && !head.hasStarted) {
      actions.push({ type: 'started', speechId: head.speechId })
      current = change(current, head.speechId, (speech) => ({ ...speech, hasStarted: true }))
    }
    if (!head.isComplete || head.heardBytes < head.receivedBytes) break
    actions.push({ type: 'done', speechId: head.speechId })
    current = { ...current, speeches: others }
  }
  return { state: current, actions }
}

/** What is ahead when filling is dropped; only where the callee has heard all speech before it. */
function withoutFilling(state: PlayoutState, nowMs: number): PlayoutState {
  const { fillsFromMs, pieces, playsUntilMs } = state
  const isDroppable = fillsFromMs !== null && fillsFromMs <= nowMs && pieces.length === 0
  return isDroppable && playsUntilMs > nowMs ? { ...state, playsUntilMs: nowMs } : state
}

function nextPiece(state: PlayoutState, nowMs: number): SentPiece | null {
  if (state.isHeld) return null
  const speech = state.speeches.find((one) => !one.isComplete || one.sentBytes < one.receivedBytes)
  if (speech === undefined) return null
  const aheadMs = Math.max(0, state.playsUntilMs - nowMs)
  if (aheadMs + PIECE_MS > AHEAD_MS) return null
  const available = speech.receivedBytes - speech.sentBytes
  const whole = PIECE_MS * BYTES_PER_MS
  // A short piece only at the end of a speech, or when the callee is about to hear a gap.
  const gapInMs = (state.fillsFromMs ?? state.playsUntilMs) - nowMs
  const mayBeShort = speech.isComplete || gapInMs < PIECE_MS
  if (available === 0 || (available < whole && !mayBeShort)) return null
  const toByte = speech.sentBytes + Math.min(available, whole)
  return {
    mark: `${speech.speechId}@${toByte}`,
    speechId: speech.speechId,
    fromByte: speech.sentBytes,
    toByte,
    playsAtMs: Math.max(nowMs, state.playsUntilMs),
  }
}

function flush(state: PlayoutState, nowMs: number): PlayoutStep {
  const { isFilled, playsUntilMs, fillsFromMs } = state
  const empty: PlayoutState = {
    ...EMPTY_PLAYOUT,
    playsUntilMs: nowMs,
    lastEchoAtMs: nowMs,
    isFilled,
  }
  const filled = { ...empty, playsUntilMs: Math.max(nowMs, playsUntilMs), fillsFromMs }
  const [head] = state.speeches
  if (head === undefined || head.sentBytes === 0) return { state: filled, actions: [] }
  const [piece] = state.pieces
  // Since the last echo the piece after it has been playing, at most to its own end.
  const playedMs =
    piece === undefined
      ? 0
      : clamp(nowMs - Math.max(piece.playsAtMs, state.lastEchoAtMs), 0, lengthOf(piece))
  const { text, words, speechId } = head
  const heardMs = head.heardBytes / BYTES_PER_MS + playedMs
  const totalMs = head.isComplete ? head.receivedBytes / BYTES_PER_MS : null
  const cut: PlayoutAction = {
    type: 'cut',
    speechId,
    heardText: heardText({ text, words, heardMs, totalMs }),
    heardMs,
  }
  if (piece === undefined) return { state: filled, actions: [cut] }
  const heardUntilMs = piece.playsAtMs + playedMs
  return { state: empty, actions: [{ type: 'clear', heardUntilMs }, cut] }
}

function change(
  state: PlayoutState,
  speechId: string,
  edit: (speech: QueuedSpeech) => QueuedSpeech,
): PlayoutState {
  const speeches = state.speeches.map((speech) =>
    speech.speechId === speechId ? edit(speech) : speech,
  )
  return { ...state, speeches }
}

function lengthOf(piece: SentPiece): number {
  return (piece.toByte - piece.fromByte) / BYTES_PER_MS
}

function endOf(piece: SentPiece): number {
  return piece.playsAtMs + lengthOf(piece)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
