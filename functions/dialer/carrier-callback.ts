import type { APIGatewayProxyEventV2 } from 'aws-lambda'

import type { CarrierCallback, CarrierRefusal } from '#shared/ports/carrier-events.ts'

/** What a carrier is answered whose callback is not believed. */
export const REFUSAL_STATUS: Readonly<Record<CarrierRefusal['reason'], number>> = {
  unknown_provider: 404,
  wrong_signature: 401,
  malformed: 400,
}

/** A carrier's request as it was sent, for its adapter to verify and read. */
export function carrierCallback(
  event: Pick<APIGatewayProxyEventV2, 'pathParameters' | 'headers' | 'body' | 'isBase64Encoded'>,
): CarrierCallback {
  const body = event.body ?? ''
  return {
    provider: event.pathParameters?.['provider'] ?? '',
    headers: event.headers,
    rawBody: event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
  }
}
