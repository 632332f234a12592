import { compose } from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { sweep } from '#shared/use-cases/sweep.ts'

/** Admits waiting orders of a scope, or looks after what was left lying. */
export const dispatch: QueueOperation<'dispatch'> = {
  queue: 'dispatch',
  run: (ports, message) =>
    'sweep' in message ? sweep(ports) : dispatchScope(ports, message.scope),
}

export const handler = queueHandler(dispatch, compose)
