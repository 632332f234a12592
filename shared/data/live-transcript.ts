import { isLive, type CallAttempt } from '#shared/domain/call-attempt/attempt.ts'

/** While a call goes on, the lines added so far stand for its transcript. */
export function showsLiveTranscript(attempt: CallAttempt): boolean {
  return isLive(attempt) && attempt.transcript.length === 0
}
