import type { AttemptResult, EndedBy, EndReason } from '#shared/domain/call-attempt/attempt.ts'
import type { SpeechEvent, TranscriptEntry } from '#shared/domain/transcript.ts'

import { changeAttempt, type ChangeResult } from './change-attempt.ts'
import type { CommitPorts } from './commit-call.ts'

export interface SessionEnd {
  readonly orderId: string
  readonly number: number
  readonly fence: number
  /** Epoch ms. */
  readonly at: number
  readonly result: AttemptResult
  readonly endedBy: EndedBy
  readonly endReason: EndReason | null
  readonly transcript: readonly TranscriptEntry[]
  readonly speechEvents: readonly SpeechEvent[]
  readonly recordingKey: string | null
}

/** Stores what a media session reports at its end; a session that lost the call is ignored. */
export async function finishSession(ports: CommitPorts, end: SessionEnd): Promise<ChangeResult> {
  const { orderId, number, ...report } = end
  return changeAttempt(ports, { orderId, number }, () => ({ type: 'sessionEnded', ...report }))
}
