import { compose, http, idempotency } from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { voiceRoutes } from '#shared/contract/voice-routes.ts'

import { listVoicesOperation } from './list-voices.ts'

export const voiceHandler = httpHandler(voiceRoutes, {
  listVoices: listVoicesOperation,
})

export const ports = compose({ ...http, idempotency })
export const handler = voiceHandler(ports)
