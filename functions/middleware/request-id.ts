import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** A request's id (decisions 1): the client's own when it is well-formed, else the gateway's. */
export function requestIdOf(event: {
  readonly headers: Pick<APIGatewayProxyEventV2['headers'], string>
  readonly requestContext: { readonly requestId: string }
}): string {
  const own = event.headers['x-request-id']
  return own !== undefined && /^[\w.:=+/-]{1,128}$/.test(own) ? own : event.requestContext.requestId
}
