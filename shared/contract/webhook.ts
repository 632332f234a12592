import { toIso } from '#shared/domain/time.ts'

import { callToWire } from './call-to-wire.ts'

/** The body of a webhook (decisions 4): what happened, when, and the call as GET /call/{id} shows it. */
export function webhookBody(event: {
  readonly id: string
  readonly type: string
  /** Epoch ms. */
  readonly timestamp: number
  readonly call: Parameters<typeof callToWire>[0]
}): string {
  const { id, type, timestamp, call } = event
  return JSON.stringify({
    id,
    type,
    timestamp: toIso(timestamp),
    data: { call: callToWire(call) },
  })
}
