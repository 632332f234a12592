import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'

import type { Logger } from '#shared/ports/logger.ts'

import type { CallMedia, MediaCommand, MediaEvent } from './call-media.ts'
import type { LatenessSummary } from './lateness.ts'
import type { EntranceConfig, MediaEntrance, OpenEntrance } from './media-entrance.ts'
import { Outbox } from './media-messages.ts'
import type { FromMediaThread, MediaThreadStart, ToMediaThread } from './media-messages.ts'
import type { RecordedCall } from './recorded-call.ts'
import { TemporaryFile } from './sound-file.ts'

const NEVER_LATE: LatenessSummary = { frames: 0, p99Ms: 0, maxMs: 0 }

/**
 * Opens the entrance in a thread of its own, so that a busy main thread is not heard. `program` is
 * the file that the thread runs.
 */
export function mediaThreadEntrance(options: {
  readonly program: URL
  readonly logger: Logger
  readonly speed?: number
}): OpenEntrance {
  return async (config) => {
    const { port1, port2 } = new MessageChannel()
    const { host, port, maxSockets } = config
    const start = { port: port2, server: { host, port, maxSockets }, speed: options.speed ?? 1 }
    const worker = new Worker(options.program, {
      workerData: start satisfies Record<keyof MediaThreadStart, unknown>,
      transferList: [port2],
      // The sound of a call is handed over to this thread, which closes it.
      trackUnmanagedFds: false,
    })
    const entrance = new ThreadEntrance(worker, port1, config, options.logger)
    await entrance.ready
    return entrance
  }
}

class ThreadEntrance implements MediaEntrance {
  port = 0
  readonly ready: Promise<void>
  readonly lost: Promise<void>
  readonly #port: MessagePort
  readonly #config: EntranceConfig
  readonly #logger: Logger
  readonly #outbox: Outbox<ToMediaThread>
  readonly #calls = new Map<number, RemoteMedia>()
  readonly #isReady = Promise.withResolvers<void>()
  readonly #isLost = Promise.withResolvers<void>()
  #lateness = NEVER_LATE
  #isClosing = false
  #isGone = false

  constructor(worker: Worker, port: MessagePort, config: EntranceConfig, logger: Logger) {
    this.#port = port
    this.#config = config
    this.#logger = logger
    this.#outbox = new Outbox(port)
    this.ready = this.#isReady.promise
    this.lost = this.#isLost.promise
    port.on('message', (messages: readonly FromMediaThread[]) => this.#read(messages))
    worker.once('error', (error) => this.#lose(error))
    worker.once('exit', () => this.#lose(new Error('the media thread has ended')))
  }

  lateness(): LatenessSummary {
    return this.#lateness
  }

  async close(): Promise<void> {
    this.#isClosing = true
    // It ends by itself: a thread that is ended inside native code takes the process with it.
    this.#outbox.send({ type: 'close' })
    await this.lost
    this.#port.close()
  }

  #read(messages: readonly FromMediaThread[]): void {
    for (const message of messages) this.#hear(message)
  }

  #hear(message: FromMediaThread): void {
    switch (message.type) {
      case 'ready':
        this.port = message.port
        return this.#isReady.resolve()
      case 'verify': {
        const call = this.#config.verify(message.token)
        return this.#outbox.send({ type: 'verified', request: message.request, call })
      }
      case 'arrived':
        return this.#welcome(message)
      case 'happened':
        return this.#calls.get(message.call)?.tell(message.event)
      case 'ended': {
        const { call, recorded } = message
        const file = recorded === null ? null : new TemporaryFile(recorded.fd)
        this.#calls.get(call)?.close(file === null ? null : { file, samples: recorded!.samples })
        this.#calls.delete(call)
        return
      }
      case 'lateness':
        this.#lateness = message.summary
        return
      case 'log':
        return this.#logger[message.level](message.message, message.fields)
    }
  }

  #welcome(message: Extract<FromMediaThread, { type: 'arrived' }>): void {
    const { call, orderId, number, callId, startedAt } = message
    const media = new RemoteMedia({
      callId,
      startedAt,
      send: (type) => this.#outbox.send({ ...type, call }),
      catchUp: () => this.#catchUp(),
    })
    this.#calls.set(call, media)
    this.#config.onArrival({ orderId, number, media })
  }

  /** Reads what the thread has sent and this one has had no time for. */
  #catchUp(): void {
    for (;;) {
      const received = receiveMessageOnPort(this.#port)
      if (received === undefined) return
      this.#read(received.message as readonly FromMediaThread[])
    }
  }

  #lose(error: unknown): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#isReady.reject(error)
    if (!this.#isClosing) this.#logger.error('the media thread was lost', { error })
    for (const call of this.#calls.values()) call.close(null)
    this.#calls.clear()
    this.#isLost.resolve()
  }
}

type CallMessage = Extract<ToMediaThread, { readonly call: number }>
type WithoutCall<Message> = Message extends unknown ? Omit<Message, 'call'> : never

interface RemoteMediaOptions {
  readonly callId: string
  readonly startedAt: number
  readonly send: (message: WithoutCall<CallMessage>) => void
  readonly catchUp: () => void
}

/** A call whose socket another thread holds. */
class RemoteMedia implements CallMedia {
  readonly callId: string
  readonly startedAt: number
  readonly #options: RemoteMediaOptions
  readonly #recorded = Promise.withResolvers<RecordedCall | null>()
  #listener: ((event: MediaEvent) => void) | null = null
  #lastAtMs = 0

  constructor(options: RemoteMediaOptions) {
    this.#options = options
    this.callId = options.callId
    this.startedAt = options.startedAt
  }

  listen(listener: (event: MediaEvent) => void): void {
    this.#listener = listener
    this.#options.send({ type: 'listen' })
  }

  perform(command: MediaCommand): void {
    this.#options.send({ type: 'perform', command })
  }

  catchUp(): void {
    this.#options.catchUp()
  }

  end(durationMs: number): Promise<RecordedCall | null> {
    this.#listener = null
    this.#options.send({ type: 'end', durationMs })
    return this.#recorded.promise
  }

  tell(event: MediaEvent): void {
    this.#lastAtMs = event.atMs
    this.#listener?.(event)
  }

  /** Nothing more comes from the other thread. */
  close(recorded: RecordedCall | null): void {
    this.#recorded.resolve(recorded)
    this.#listener?.({ type: 'stopped', atMs: this.#lastAtMs })
  }
}
