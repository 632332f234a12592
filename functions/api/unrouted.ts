import { compose, logger } from '#functions/compose.ts'
import { type Refused, refused } from '#functions/middleware/answer.ts'
import { answering, type HttpEvent, type HttpHandler } from '#functions/middleware/http.ts'
import { matchRoute } from '#shared/contract/match-route.ts'
import type { Logger } from '#shared/ports/logger.ts'

/** The gateway's `$default`: a problem document for every address and method that is no operation. */
export function unroutedHandler(ports: () => { readonly logger: Logger }): HttpHandler {
  return answering(refuse, () => ports().logger)
}

function refuse(event: HttpEvent): Refused {
  const { method } = event.requestContext.http
  const match = matchRoute({ method, path: event.rawPath })
  if (match.kind !== 'wrongMethod') return refused('not_found', 'There is nothing at this address')
  return refused('method_not_allowed', `This address takes ${match.allow.join(', ')}`, {
    headers: { allow: match.allow.join(', ') },
  })
}

export const ports = compose({ logger })
export const handler = unroutedHandler(ports)
