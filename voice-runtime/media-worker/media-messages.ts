import type { MessagePort } from 'node:worker_threads'

import type { LogFields } from '#shared/ports/logger.ts'

import type { CallReference, MediaCommand, MediaEvent } from './call-media.ts'
import type { LatenessSummary } from './lateness.ts'
import type { MediaServerConfig } from './media-server.ts'

/** Given to the media thread when it starts. */
export interface MediaThreadStart {
  /** One end of the channel by which it talks to the main thread. */
  readonly port: MessagePort
  readonly server: MediaServerConfig
  /** The media clock passes so many times as fast as time. */
  readonly speed: number
}

/** To the media thread. `call` is the number that the thread gave to the call when it arrived. */
export type ToMediaThread =
  | { readonly type: 'verified'; readonly request: number; readonly call: CallReference | null }
  | { readonly type: 'listen'; readonly call: number }
  | { readonly type: 'perform'; readonly call: number; readonly command: MediaCommand }
  | { readonly type: 'end'; readonly call: number; readonly durationMs: number }
  | { readonly type: 'close' }

/** From the media thread. */
export type FromMediaThread =
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'verify'; readonly request: number; readonly token: string }
  | ({
      readonly type: 'arrived'
      readonly call: number
      readonly callId: string
      readonly startedAt: number
    } & CallReference)
  | { readonly type: 'happened'; readonly call: number; readonly event: MediaEvent }
  | {
      readonly type: 'ended'
      readonly call: number
      /** The file of its recording, open. */
      readonly recorded: { readonly fd: number; readonly samples: number } | null
    }
  | { readonly type: 'lateness'; readonly summary: LatenessSummary }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields?: LogFields | undefined
    }

/**
 * Messages to the other thread, many in one: what is sent while one thing is dealt with leaves
 * together, because each crossing costs both threads more than what it carries.
 */
export class Outbox<Message> {
  readonly #port: Pick<MessagePort, 'postMessage'>
  #waiting: Message[] = []
  #isLeaving = false

  constructor(port: Pick<MessagePort, 'postMessage'>) {
    this.#port = port
  }

  /** As soon as what is being dealt with is done. */
  send(message: Message): void {
    this.#waiting.push(message)
    if (this.#isLeaving) return
    this.#isLeaving = true
    setImmediate(() => this.flush())
  }

  /** With the next message, or the next `flush`. */
  sendLater(message: Message): void {
    this.#waiting.push(message)
  }

  flush(): void {
    this.#isLeaving = false
    if (this.#waiting.length === 0) return
    const messages = this.#waiting
    this.#waiting = []
    this.#port.postMessage(messages)
  }
}
