import { createServer, STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'

import type { Clock, Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'

import { decodeCarrierFrame } from '../wire/provider-1.ts'
import type { CallReference } from './call-media.ts'
import { CarrierSocket } from './carrier-socket.ts'
import type { MediaChannel } from './media-channel.ts'

const PATH = /^\/media\/([^/?]+)\/?$/
const PAYLOAD_BYTES_MAX = 64 * 1024
/** How long a carrier may take from the open socket to its `start` frame. */
const START_TIMEOUT_MS = 10_000
/** A socket that did not answer the last ping is lost. */
const PING_EVERY_MS = 15_000

export interface MediaServerDeps {
  /** The media clock: when media started. */
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
  /** Which call a token stands for; null when it is forged or expired. */
  readonly verify: (token: string) => Promise<CallReference | null>
}

export interface MediaServerConfig {
  readonly host: string
  /** 0 chooses a free one. */
  readonly port: number
  readonly maxSockets: number
}

export interface MediaServer {
  readonly port: number
  /** Refuses new sockets and closes the open ones. */
  close(): Promise<void>
}

/**
 * Where carriers open their media WebSockets: `/media/<token>`, one at a time per attempt. A token
 * that is forged or expired is refused with 401, a second socket with 409, too many with 503.
 * `GET /health` answers 200. Knows sockets and frames only.
 */
export async function startMediaServer(
  deps: MediaServerDeps,
  config: MediaServerConfig,
  onStart: (call: CallReference, channel: MediaChannel) => void,
): Promise<MediaServer> {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: PAYLOAD_BYTES_MAX,
  })
  const live = new Set<string>()

  const server = createServer((request, response) => {
    response.writeHead(request.url === '/health' ? 200 : 404).end()
  })
  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => socket.destroy())
    const token = PATH.exec(request.url ?? '')?.[1]
    if (token === undefined) return refuse(socket, 404)
    const call = await deps.verify(token)
    if (socket.destroyed) return
    if (call === null) return refuse(socket, 401)
    const key = `${call.orderId}/${call.number}`
    if (live.has(key)) return refuse(socket, 409)
    if (live.size >= config.maxSockets) return refuse(socket, 503)
    live.add(key)
    socket.once('close', () => live.delete(key))
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      serve(accepted, deps, (channel) => onStart(call, channel))
    })
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void admit(request, socket, head)
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        server.close(() => resolve())
      }),
  }
}

/** Reads one carrier socket to its end. */
function serve(
  socket: WebSocket,
  deps: MediaServerDeps,
  onStart: (channel: CarrierSocket) => void,
): void {
  let channel: CarrierSocket | null = null
  let malformed = 0
  const stopWaiting = deps.timers.after(START_TIMEOUT_MS, () => socket.close(1008))
  const stopPinging = keepAlive(socket, deps.timers)

  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? null : decodeCarrierFrame((data as Buffer).toString())
    if (frame === null || frame.kind === 'malformed') malformed += 1
    else if (frame.kind !== 'start') channel?.receive(frame)
    else if (channel === null) {
      stopWaiting()
      channel = new CarrierSocket(socket, { ...frame, startedAt: deps.clock.now() })
      onStart(channel)
    }
  })
  // The close that follows an error says everything.
  socket.on('error', (error) => deps.logger.warn('a media socket failed', { error }))
  socket.on('close', (code) => {
    stopWaiting()
    stopPinging()
    if (malformed > 0) deps.logger.warn('malformed media frames were ignored', { malformed, code })
    channel?.end()
  })
}

/** Ends a socket whose other side is gone without a word; returns how to stop. */
function keepAlive(socket: WebSocket, timers: Timers): () => void {
  let isAnswered = true
  socket.on('pong', () => (isAnswered = true))
  const beat = () => {
    if (!isAnswered) return socket.terminate()
    isAnswered = false
    socket.ping()
    cancel = timers.after(PING_EVERY_MS, beat)
  }
  let cancel = timers.after(PING_EVERY_MS, beat)
  return () => cancel()
}

function refuse(socket: Duplex, status: 401 | 404 | 409 | 503): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}
