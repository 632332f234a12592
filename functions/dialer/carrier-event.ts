import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

import {
  calls,
  campaigns,
  carrierEvents,
  clock,
  compose,
  ids,
  logger,
  queues,
  scheduler,
  wakes,
} from '#functions/compose.ts'
import type { CarrierEvents } from '#shared/ports/carrier-events.ts'
import type { Logger } from '#shared/ports/logger.ts'
import { applyCarrierEvent } from '#shared/use-cases/apply-carrier-event.ts'

import { carrierCallback, REFUSAL_STATUS } from './carrier-callback.ts'

type Ports = Parameters<typeof applyCarrierEvent>[0] & {
  readonly carrierEvents: CarrierEvents
  readonly logger: Logger
}

export type CarrierEventHandler = (
  event: Pick<APIGatewayProxyEventV2, 'pathParameters' | 'headers' | 'body' | 'isBase64Encoded'>,
) => Promise<APIGatewayProxyStructuredResultV2>

/**
 * Takes a carrier's callback. Anything but a 2xx makes the carrier send it again, so an event that
 * no longer applies is answered like one that does.
 */
export function carrierEventHandler(portsOf: () => Ports): CarrierEventHandler {
  return async (event) => {
    const ports = portsOf()
    const read = ports.carrierEvents.read(carrierCallback(event))
    if (read.kind === 'refused') return { statusCode: REFUSAL_STATUS[read.reason] }
    try {
      await applyCarrierEvent(ports, read.event)
      return { statusCode: 200 }
    } catch (error) {
      ports.logger.error('A carrier event failed', { orderId: read.event.orderId, error })
      return { statusCode: 503 }
    }
  }
}

export const ports = compose({
  calls,
  campaigns,
  carrierEvents,
  clock,
  ids,
  logger,
  queues,
  scheduler,
  wakes,
})
export const handler = carrierEventHandler(ports)
