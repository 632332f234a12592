import { compose } from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'

/** The queue gives a message up after this many deliveries; the one before is the last chance. */
const LAST_CHANCE = 3

/** Extracts what came of an attempt and lets its order go on. */
export const concludeCall: QueueOperation<'post-call'> = {
  queue: 'post-call',
  run: (ports, message, delivery) =>
    concludeAttempt(ports, { ...message, isLastChance: delivery.count >= LAST_CHANCE }),
}

export const handler = queueHandler(concludeCall, compose)
