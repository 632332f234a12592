import type { SessionObservation } from '#voice/session/session-observation.ts'

/** One line of the terminal for one observation of a call; null for what is not worth a line. */
export function liveLine(json: string): string | null {
  const observation = JSON.parse(json) as SessionObservation
  const at = `${(observation.atMs / 1_000).toFixed(1).padStart(5)}s `
  switch (observation.kind) {
    case 'speaking':
      return `${at} agent   ${observation.text}`
    case 'heard':
      return `${at} callee  ${observation.text}`
    case 'interrupted':
      return `${at}         ... interrupted; heard: "${observation.text}"`
    case 'latency':
      return `${at}         ${latencies(observation)}`
    case 'tool':
      return `${at} agent   uses ${observation.name}`
    case 'ended':
      return `${at} ended by ${observation.endedBy}${observation.endReason === null ? '' : ` (${observation.endReason})`}`
    case 'said':
      return null
  }
}

function latencies(turn: Extract<SessionObservation, { readonly kind: 'latency' }>): string {
  const parts = [
    ['end of turn', turn.endOfTurnMs],
    ['model', turn.llmTtftMs],
    ['voice', turn.ttsTtfbMs],
    ['decision to sound', turn.firstAudioMs],
  ] as const
  return parts
    .filter(([, ms]) => ms !== null)
    .map(([name, ms]) => `${name} ${Math.round(ms ?? 0)} ms`)
    .join(' · ')
}
