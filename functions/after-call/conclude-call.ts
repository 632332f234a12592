import {
  assistants,
  calls,
  campaigns,
  clock,
  compose,
  ids,
  languageModel,
  logger,
  permits,
  queues,
  scheduler,
  wakes,
  turns,
} from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'

type Ports = Parameters<typeof concludeAttempt>[0]

/** The queue gives a message up after this many deliveries; the one before is the last chance. */
const LAST_CHANCE = 3

/** Extracts what came of an attempt and lets its order go on. */
export const concludeCall: QueueOperation<'post-call', Ports> = {
  queue: 'post-call',
  run: (ports, message, delivery) =>
    concludeAttempt(ports, { ...message, isLastChance: delivery.count >= LAST_CHANCE }),
}

export const ports = compose({
  assistants,
  calls,
  campaigns,
  clock,
  ids,
  languageModel,
  logger,
  permits,
  queues,
  scheduler,
  wakes,
  turns,
})
export const handler = queueHandler(concludeCall, ports)
