import {
  assistants,
  calls,
  campaigns,
  clock,
  compose,
  ids,
  limits,
  logger,
  organizations,
  pacing,
  permits,
  queues,
  scheduler,
  suppressions,
  telephony,
  webhooks,
  wakes,
  turns,
} from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { sweep } from '#shared/use-cases/sweep.ts'

type Ports = Parameters<typeof dispatchScope>[0] & Parameters<typeof sweep>[0]

/** Admits waiting orders of a scope, or looks after what was left lying. */
export const dispatch: QueueOperation<'dispatch', Ports> = {
  queue: 'dispatch',
  run: (ports, message) =>
    'sweep' in message ? sweep(ports) : dispatchScope(ports, message.scope),
}

export const ports = compose({
  assistants,
  calls,
  campaigns,
  clock,
  ids,
  limits,
  logger,
  organizations,
  pacing,
  permits,
  queues,
  scheduler,
  suppressions,
  telephony,
  webhooks,
  wakes,
  turns,
})
export const handler = queueHandler(dispatch, ports)
