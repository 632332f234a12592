import type { MessagePort } from 'node:worker_threads'

import type { Clock, Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { VoiceActivityDetector } from '#shared/ports/voice-activity.ts'

import type { CallReference, MediaArrival, MediaEvent } from './call-media.ts'
import { Lateness } from './lateness.ts'
import { LiveMedia } from './live-media.ts'
import type { LiveMediaDeps } from './live-media.ts'
import { Outbox } from './media-messages.ts'
import type { FromMediaThread, ToMediaThread } from './media-messages.ts'
import { startMediaServer } from './media-server.ts'
import type { MediaServer, MediaServerConfig } from './media-server.ts'
import { TemporaryFile } from './sound-file.ts'
import { startTicker } from './ticker.ts'

const REPORT_LATENESS_MS = 1_000

export interface HostMediaDeps {
  readonly port: MessagePort
  readonly clock: Clock
  readonly timers: Timers
  readonly openVoiceActivity: (deps: {
    readonly timers: Timers
    readonly logger: Logger
  }) => Promise<VoiceActivityDetector>
  /** Ends the thread. */
  readonly exit: () => void
  readonly soundOf: LiveMediaDeps['soundOf']
}

/** The media thread: serves the media of every call of the process to its main thread. */
export async function hostMedia(deps: HostMediaDeps, config: MediaServerConfig): Promise<void> {
  const host = new MediaHost(deps)
  const { clock, timers } = deps
  const lateness = new Lateness()
  const ticker = startTicker({
    clock,
    timers,
    onBeat: (lateMs, members) => lateness.note(lateMs, members),
  })
  // Pieces of audio wait for the next round; besides, a ticker that always runs always tells its lateness.
  ticker.join(() => host.outbox.flush())
  const report = () => {
    host.outbox.sendLater({ type: 'lateness', summary: lateness.take() })
    timers.after(REPORT_LATENESS_MS, report)
  }
  timers.after(REPORT_LATENESS_MS, report)

  const voiceActivity = await deps.openVoiceActivity({ timers, logger: host.logger })
  const { logger } = host
  const media = {
    clock,
    ticker,
    voiceActivity,
    logger,
    openSoundFile: () => TemporaryFile.open(),
    soundOf: deps.soundOf,
  }
  const server = await startMediaServer(
    { clock, timers, logger, verify: (token) => host.verify(token) },
    config,
    (call, channel) => host.announce({ ...call, media: new LiveMedia(media, channel) }),
  )
  host.serve(server)
}

/** Translates between the messages of the main thread and the calls of this one. */
class MediaHost {
  readonly outbox: Outbox<FromMediaThread>
  readonly logger: Logger
  readonly #port: MessagePort
  readonly #exit: () => void
  readonly #calls = new Map<number, MediaArrival>()
  readonly #verifying = new Map<number, (call: CallReference | null) => void>()
  #server: MediaServer | null = null
  #count = 0

  constructor({ port, exit }: Pick<HostMediaDeps, 'port' | 'exit'>) {
    this.#port = port
    this.#exit = exit
    this.outbox = new Outbox(port)
    const log =
      (level: 'info' | 'warn' | 'error'): Logger['info'] =>
      (message, fields) =>
        this.outbox.send({ type: 'log', level, message, fields })
    this.logger = { info: log('info'), warn: log('warn'), error: log('error') }
  }

  serve(server: MediaServer): void {
    this.#server = server
    this.#port.on('message', (messages: readonly ToMediaThread[]) => {
      for (const message of messages) this.#obeySafely(message)
    })
    this.outbox.send({ type: 'ready', port: server.port })
  }

  verify(token: string): Promise<CallReference | null> {
    this.#count += 1
    const request = this.#count
    this.outbox.send({ type: 'verify', request, token })
    return new Promise((resolve) => this.#verifying.set(request, resolve))
  }

  announce(arrival: MediaArrival): void {
    this.#count += 1
    this.#calls.set(this.#count, arrival)
    const { orderId, number, media } = arrival
    const { callId, startedAt } = media
    this.outbox.send({ type: 'arrived', call: this.#count, orderId, number, callId, startedAt })
  }

  /** A fault in one call must not end the others. */
  #obeySafely(message: ToMediaThread): void {
    try {
      this.#obey(message)
    } catch (error) {
      this.logger.error('the media of a call failed', { error, message: message.type })
      if ('call' in message && typeof message.call === 'number') {
        this.#calls.get(message.call)?.media.perform({ type: 'close' })
      }
    }
  }

  #obey(message: ToMediaThread): void {
    switch (message.type) {
      case 'verified':
        this.#verifying.get(message.request)?.(message.call)
        this.#verifying.delete(message.request)
        return
      case 'listen':
        return this.#calls
          .get(message.call)
          ?.media.listen((event) => this.#tell(message.call, event))
      case 'perform':
        return this.#calls.get(message.call)?.media.perform(message.command)
      case 'end':
        return void this.#end(message.call, message.durationMs)
      case 'close':
        return void this.#server?.close().then(() => {
          this.outbox.flush()
          this.#exit()
        })
    }
  }

  #tell(call: number, event: MediaEvent): void {
    const message = { type: 'happened', call, event } as const
    if (event.type === 'audio') this.outbox.sendLater(message)
    else this.outbox.send(message)
  }

  async #end(call: number, durationMs: number): Promise<void> {
    const media = this.#calls.get(call)?.media
    this.#calls.delete(call)
    const recorded = (await media?.end(durationMs)) ?? null
    const file = recorded?.file
    this.outbox.send({
      type: 'ended',
      call,
      recorded: file instanceof TemporaryFile ? { fd: file.fd, samples: recorded!.samples } : null,
    })
  }
}
