import type { SttEvent } from '#shared/ports/speech-to-text.ts'

import type { VendorMessage } from '../websocket/vendor-socket.ts'

/** A token ends a turn, or answers `finalize`; neither is text. */
const ENDPOINT = '<end>'
const FINALIZED = '<fin>'
/** Finals of a turn that goes on are reported when they span this much, so that a new stream need not hear them again. */
const MAX_SEGMENT_MS = 5_000

/** The final tokens that are not reported yet. */
export interface Segment {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

/** What one stream has told so far. */
export interface Transcript {
  readonly segment: Segment | null
  readonly interim: string
}

export const EMPTY_TRANSCRIPT: Transcript = { segment: null, interim: '' }

interface Token {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
  readonly isFinal: boolean
}

/**
 * What a result message adds (reference/protocols-media.md 5). Tokens are parts of words that bring
 * their own spaces. Final ones are sent once; the others replace all that were not final before.
 */
export function readTokens(
  transcript: Transcript,
  message: VendorMessage,
): { readonly transcript: Transcript; readonly events: readonly SttEvent[] } {
  const events: SttEvent[] = []
  let { segment } = transcript
  let tail = ''
  const report = () => {
    if (segment !== null && segment.text.trim() !== '') {
      const { text, startMs, endMs } = segment
      events.push({ type: 'final', text: text.trim(), startMs, endMs })
    }
    segment = null
  }
  for (const token of tokensOf(message)) {
    if (token.text === ENDPOINT || token.text === FINALIZED) {
      report()
      if (token.text === ENDPOINT) events.push({ type: 'endOfTurn' })
    } else if (token.isFinal) {
      if (isLong(segment) && /^\s/.test(token.text)) report()
      segment = extended(segment, token)
    } else {
      tail += token.text
    }
  }
  const interim = `${segment?.text ?? ''}${tail}`.trim()
  if (interim !== '' && interim !== transcript.interim) {
    events.push({ type: 'interim', text: interim })
  }
  return { transcript: { segment, interim }, events }
}

function isLong(segment: Segment | null): boolean {
  return segment !== null && segment.endMs - segment.startMs >= MAX_SEGMENT_MS
}

function extended(segment: Segment | null, token: Token): Segment {
  if (segment === null) return { text: token.text, startMs: token.startMs, endMs: token.endMs }
  return { ...segment, text: segment.text + token.text, endMs: token.endMs }
}

/** Tokens that are not what the protocol says are left out. */
function tokensOf(message: VendorMessage): Token[] {
  const { tokens } = message
  if (!Array.isArray(tokens)) return []
  return (tokens as readonly unknown[]).flatMap((token) => {
    if (typeof token !== 'object' || token === null) return []
    const { text, start_ms, end_ms, is_final } = token as VendorMessage
    if (typeof text !== 'string') return []
    const fallbackMs = numberOr(message['final_audio_proc_ms'], 0)
    const startMs = numberOr(start_ms, fallbackMs)
    return [{ text, startMs, endMs: numberOr(end_ms, startMs), isFinal: is_final === true }]
  })
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback
}
