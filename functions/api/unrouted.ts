import { compose } from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/** The gateway's `$default`: a problem document for every address and method that is no operation. */
export const handler = httpHandler<ServicePorts, never>({}, compose)
