import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

import { sha256 } from '#functions/campaigns/sha256.ts'
import {
  assistants,
  calls,
  campaigns,
  carrierEvents,
  clock,
  compose,
  ids,
  limits,
  logger,
  organizations,
  permits,
  phoneNumbers,
  queues,
  scheduler,
  turns,
  wakes,
} from '#functions/compose.ts'
import { carrierCallback, REFUSAL_STATUS } from '#functions/dialer/carrier-callback.ts'
import type { CarrierEvents } from '#shared/ports/carrier-events.ts'
import { receiveCall, type ReceivePorts } from '#shared/use-cases/receive-call.ts'

type Ports = ReceivePorts & { readonly carrierEvents: CarrierEvents }

export type InboundCallHandler = (
  event: Pick<APIGatewayProxyEventV2, 'pathParameters' | 'headers' | 'body' | 'isBase64Encoded'>,
) => Promise<APIGatewayProxyStructuredResultV2>

/**
 * A carrier tells of a call to one of our numbers. `wait`: it rings on until a voice runtime answers
 * it; `reject`: nobody will. Anything but a 2xx makes the carrier ask again.
 */
export function inboundCallHandler(portsOf: () => Ports): InboundCallHandler {
  return async (event) => {
    const ports = portsOf()
    const read = ports.carrierEvents.readInbound(carrierCallback(event))
    if (read.kind === 'refused') return { statusCode: REFUSAL_STATUS[read.reason] }
    try {
      const reception = await receiveCall(ports, { call: read.call, hash: sha256 })
      if (reception.kind === 'rejected') {
        const { reason } = reception
        ports.logger.warn('An inbound call is rejected', { reason })
      }
      const action = reception.kind === 'accepted' ? 'wait' : 'reject'
      return {
        statusCode: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action }),
      }
    } catch (error) {
      ports.logger.error('An inbound call failed', { error })
      return { statusCode: 503 }
    }
  }
}

export const ports = compose({
  assistants,
  calls,
  campaigns,
  carrierEvents,
  clock,
  ids,
  limits,
  logger,
  organizations,
  permits,
  phoneNumbers,
  queues,
  scheduler,
  turns,
  wakes,
})
export const handler = inboundCallHandler(ports)
