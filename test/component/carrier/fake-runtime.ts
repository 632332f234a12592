import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { WebSocketServer, type WebSocket } from 'ws'

import { Mailbox } from './mailbox.ts'

export interface Callback {
  readonly rawBody: string
  readonly signature: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

export type Frame = Readonly<Record<string, unknown>> & { readonly event: string }

/** One media socket as the voice runtime's end of it sees it. */
export interface MediaPeer {
  readonly path: string
  readonly socket: WebSocket
  readonly texts: Mailbox<string>
  readonly frames: Mailbox<Frame>
  /** The code of the carrier's closing frame. */
  readonly closed: Promise<number>
  /** Sends frames of this stream and waits until the carrier has taken them in. */
  send(...frames: readonly object[]): Promise<void>
}

export interface FakeRuntime {
  readonly statusUrl: string
  readonly mediaUrl: string
  readonly callbacks: Mailbox<Callback>
  readonly peers: Mailbox<MediaPeer>
  /** Statuses that the next callbacks are answered with; 200 when it is empty. */
  readonly answers: number[]
  close(): Promise<void>
}

/** The service as the carrier sees it: takes status callbacks and media sockets. */
export async function fakeRuntime(): Promise<FakeRuntime> {
  const callbacks = new Mailbox<Callback>()
  const peers = new Mailbox<MediaPeer>()
  const answers: number[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const rawBody = (await request.setEncoding('utf8').toArray()).join('')
    response.writeHead(answers.shift() ?? 200).end()
    callbacks.put({
      rawBody,
      signature: request.headers['x-carrier-signature']?.toString(),
      body: JSON.parse(rawBody) as Callback['body'],
    })
  }
  const server = createServer((request, response) => void take(request, response))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => peers.put(mediaPeer(socket, request)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    statusUrl: `http://127.0.0.1:${port}/carrier-events/simulated`,
    mediaUrl: `ws://127.0.0.1:${port}/media/token`,
    callbacks,
    peers,
    answers,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function mediaPeer(socket: WebSocket, request: IncomingMessage): MediaPeer {
  const texts = new Mailbox<string>()
  const frames = new Mailbox<Frame>()
  socket.on('message', (data) => {
    const text = (data as Buffer).toString()
    texts.put(text)
    frames.put(JSON.parse(text) as Frame)
  })
  return {
    path: request.url ?? '',
    socket,
    texts,
    frames,
    closed: new Promise((resolve) => {
      socket.once('close', resolve)
    }),
    async send(...outgoing) {
      const [, start] = await frames.count(2)
      for (const frame of outgoing) {
        socket.send(JSON.stringify({ streamSid: start?.['streamSid'], ...frame }))
      }
      // Messages and pings are taken in order, so the pong says that all before it was taken in.
      socket.ping()
      await once(socket, 'pong')
    },
  }
}
