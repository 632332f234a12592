import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { listVoicesOperation } from './list-voices.ts'

export const voiceOperations: Operations<ServicePorts, 'voices'> = {
  listVoices: listVoicesOperation,
}

export const handler = httpHandler(voiceOperations, compose)
