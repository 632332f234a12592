import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
} from 'aws-lambda'

import { clock, compose, organizations } from '#functions/compose.ts'
import { type AuthContext, authContextOf } from '#functions/middleware/caller.ts'
import { sha256 } from '#functions/middleware/key-material.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { authenticate } from '#shared/use-cases/authenticate.ts'

type Event = Pick<APIGatewayRequestAuthorizerEventV2, 'headers'>
type Result = APIGatewaySimpleAuthorizerWithContextResult<AuthContext>
export type Authorizer = (event: Event) => Promise<Result>

/**
 * The Lambda authorizer of every route with `auth: 'key'` (simple response, format 2.0). Its answer
 * is cached for all routes, so it says who calls and nothing about what they may do.
 */
export function authorizer(ports: () => Pick<ServicePorts, 'organizations' | 'clock'>): Authorizer {
  return async (event) => {
    const { organizations, clock } = ports()
    const [, key] = /^Bearer +(\S+)$/i.exec(event.headers?.['authorization'] ?? '') ?? []
    const apiKey =
      key === undefined ? null : await authenticate({ organizations, clock, hash: sha256 }, key)
    return { isAuthorized: true, context: authContextOf(apiKey) }
  }
}

export const ports = compose({ clock, organizations })
export const handler = authorizer(ports)
