import { memoryStores } from '#shared/data/memory.ts'
import type { AdapterError } from '#shared/ports/adapter-error.ts'
import type { LlmDelta } from '#shared/ports/language-model.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import type { AnswerRequest, DialRequest, DialResult } from '#shared/ports/telephony.ts'

import { memoryContactUploads } from './memory-contact-uploads.ts'

export interface SentMessage {
  readonly queue: QueueName
  readonly message: unknown
  readonly delaySecs: number
}

/** The service's ports on memory stores: time stands still, messages pile up, vendors do as told. */
export function useCasePorts(start: number) {
  const world = {
    now: start,
    sent: [] as SentMessage[],
    scheduled: [] as unknown[],
    dials: [] as DialRequest[],
    answered: [] as AnswerRequest[],
    hungUp: [] as string[],
    posted: [] as { url: string; headers: Readonly<Record<string, string>>; body: string }[],
    dial: (async () => ({ kind: 'placed', carrierCallId: 'sim-1' })) as () => Promise<DialResult>,
    findDial: (async () => null) as ServicePorts['telephony']['find'],
    answer: '{"outcome":"interested","outcome_summary":"They agreed."}' as string | AdapterError,
    webhookStatus: [] as (number | AdapterError)[],
  }
  let ids = 0
  const ports: ServicePorts = {
    ...memoryStores(),
    clock: { now: () => world.now },
    ids: { next: (prefix) => `${prefix}_${(ids += 1)}`, random: () => 0 },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    queues: {
      send: async (queue, message, options) => {
        world.sent.push({ queue, message, delaySecs: options?.delaySecs ?? 0 })
      },
    },
    scheduler: {
      schedule: async (request) => {
        world.scheduled.push(request)
      },
    },
    telephony: {
      dial: async (request) => {
        world.dials.push(request)
        return world.dial()
      },
      answer: async (request) => {
        world.answered.push(request)
        return world.dial()
      },
      hangUp: async (carrierCallId) => {
        world.hungUp.push(carrierCallId)
      },
      find: (attemptId) => world.findDial(attemptId),
    },
    languageModel: {
      async *stream(): AsyncGenerator<LlmDelta> {
        if (typeof world.answer !== 'string') throw world.answer
        yield { type: 'text', text: world.answer, model: 'fake' }
        yield { type: 'done', finishReason: 'stop' }
      },
    },
    contactUploads: memoryContactUploads(),
    recordings: { put: async () => {}, url: async (key) => `https://recordings.test/${key}` },
    webClient: {
      post: async ({ url, headers, body }) => {
        world.posted.push({ url, headers, body })
        const status = world.webhookStatus.shift() ?? 200
        if (typeof status !== 'number') throw status
        return { statusCode: status, headers: {} }
      },
    },
    webhookSigner: { sign: ({ id }) => ({ 'webhook-id': id }) },
    carrierEvents: {
      read: () => ({ kind: 'refused', reason: 'unknown_provider' }),
      readInbound: () => ({ kind: 'refused', reason: 'unknown_provider' }),
    },
    limits: {
      trunk: { id: 'trunk', maxConcurrentCalls: 10, callsPerSecond: 10 },
      ringTimeoutSecs: 30,
    },
  }
  return { ports, world }
}
