import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { WebSocket, WebSocketServer } from 'ws'

import { Happenings } from './happenings.ts'

export interface FakeServerOptions {
  /** PEM; without it the fake speaks plaintext. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** Keep every JSON message for assertions; on unless told otherwise. */
  readonly record?: boolean
}

/** One socket of a client, as the fake sees it. */
export interface FakeConnection {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: http.IncomingHttpHeaders
  /** Every JSON message of the client, and text that is none. */
  readonly received: unknown[]
  binaryBytes: number
  readonly isOpen: boolean
  /** An object is sent as JSON in a text frame, bytes in a binary one. */
  send(message: object | string | Uint8Array): void
  close(code?: number, reason?: string): void
  /** Cuts the connection without a word. */
  drop(): void
  /** Resolves when the client has read everything sent before, or is gone. */
  readToHere(): Promise<void>
}

export interface FakeConversation {
  /** Text that is JSON comes parsed. */
  message(message: unknown): void
  binary?(bytes: Buffer): void
  closed?(): void
}

export interface FakeSocketServer extends AsyncDisposable {
  /** `ws://127.0.0.1:port`, or `wss:`. */
  readonly url: string
  readonly connections: readonly FakeConnection[]
  openSockets(): number
  bytesIn(): number
  bytesOut(): number
  /** Resolves when it is so; looked at whenever a client or the fake did something. */
  until(isSo: () => boolean): Promise<void>
  /** Resolves when everything that was said was heard, and nobody has anything to add. */
  settled(): Promise<void>
}

export interface FakeVendor {
  /** The HTTP status with which a connection is refused; null takes it. */
  readonly refuse?: (request: http.IncomingMessage) => number | null
  readonly connect: (connection: FakeConnection) => FakeConversation
  /** Answers plain HTTP requests; without it they get 404. */
  readonly http?: http.RequestListener
}

/** A WebSocket server on loopback that counts and records, and leaves what to say to `vendor`. */
export async function startFakeSocketServer(
  vendor: FakeVendor,
  options: FakeServerOptions = {},
): Promise<FakeSocketServer> {
  const happenings = new Happenings()
  const connections: FakeConnection[] = []
  const traffic: Traffic = { in: 0, out: 0, note: () => happenings.note() }
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const answer = vendor.http ?? ((_request, response) => response.writeHead(404).end())
  const server = options.tls ? https.createServer(options.tls, answer) : http.createServer(answer)
  server.on('upgrade', (request: http.IncomingMessage, stream: Duplex, head: Buffer) => {
    const status = vendor.refuse?.(request) ?? null
    if (status !== null) {
      stream.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const connection = new LiveConnection(socket, request, traffic)
      if (options.record !== false) connections.push(connection)
      const conversation = vendor.connect(connection)
      socket.on('message', (data: Buffer, isBinary) => {
        traffic.in += data.length
        take({ connection, conversation, data, isBinary, record: options.record !== false })
        happenings.note()
      })
      socket.on('close', () => {
        conversation.closed?.()
        happenings.note()
      })
      socket.on('error', () => undefined)
      happenings.note()
    })
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${options.tls ? 'wss' : 'ws'}://127.0.0.1:${port}`,
    connections,
    openSockets: () => sockets.clients.size,
    bytesIn: () => traffic.in,
    bytesOut: () => traffic.out,
    until: (isSo) => happenings.until(isSo),
    async settled() {
      for (let before = -1; before !== traffic.in + traffic.out;) {
        before = traffic.in + traffic.out
        await Promise.all(connections.map((connection) => connection.readToHere()))
        for (let turn = 0; turn < 3; turn += 1) {
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Traffic {
  in: number
  out: number
  readonly note: () => void
}

function take(arrival: {
  readonly connection: FakeConnection
  readonly conversation: FakeConversation
  readonly data: Buffer
  readonly isBinary: boolean
  readonly record: boolean
}): void {
  const { connection, conversation, data, isBinary, record } = arrival
  if (isBinary && conversation.binary !== undefined) {
    connection.binaryBytes += data.length
    conversation.binary(data)
    return
  }
  const message = parsed(data.toString('utf8'))
  if (record) connection.received.push(message)
  conversation.message(message)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

class LiveConnection implements FakeConnection {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: http.IncomingHttpHeaders
  readonly received: unknown[] = []
  binaryBytes = 0
  readonly #socket: WebSocket
  readonly #traffic: Traffic

  constructor(socket: WebSocket, request: http.IncomingMessage, traffic: Traffic) {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'ws://fake')
    this.path = pathname
    this.query = searchParams
    this.headers = request.headers
    this.#socket = socket
    this.#traffic = traffic
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  send(message: object | string | Uint8Array): void {
    if (!this.isOpen) return
    const isBare = typeof message === 'string' || message instanceof Uint8Array
    const data = isBare ? message : JSON.stringify(message)
    this.#traffic.out += data.length
    this.#socket.send(data)
    this.#traffic.note()
  }

  close(code = 1000, reason = ''): void {
    this.#socket.close(code, reason)
  }

  drop(): void {
    this.#socket.terminate()
  }

  readToHere(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve()
      const read = () => {
        this.#socket.off('pong', read)
        this.#socket.off('close', read)
        resolve()
      }
      this.#socket.once('pong', read)
      this.#socket.once('close', read)
      this.#socket.ping()
    })
  }
}
