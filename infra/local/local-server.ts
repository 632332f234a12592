import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { StartFailure } from './failure.ts'
import type { localApi } from './local-api.ts'

const HOST = '127.0.0.1'

const PORT_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'is not open to this user',
}

/** Below it stands what only a local stack has. */
export const LOCAL_PATH = '/_local'

export interface LocalServer {
  readonly origin: string
  /** From now on requests are answered; before, they wait for it. */
  mount(parts: {
    readonly gateway: RequestListener
    readonly local: ReturnType<typeof localApi>
  }): void
  stop(): Promise<void>
}

/** Takes the port first of all, so that a stack that cannot have it starts nothing else. */
export async function openLocalServer(port: number): Promise<LocalServer> {
  const server = createServer()
  const mounted = Promise.withResolvers<RequestListener>()
  server.on('request', (request, response) => {
    void mounted.promise.then((answer) => answer(request, response))
  })
  await listen(server, port)
  return {
    origin: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    mount: ({ gateway, local }) => {
      mounted.resolve((request, response) => {
        const url = request.url ?? '/'
        if (!url.startsWith(LOCAL_PATH)) return gateway(request, response)
        const subPath = url.slice(LOCAL_PATH.length) || '/'
        local(request, response, subPath).catch((error: unknown) => {
          if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
          response.end(`${JSON.stringify({ detail: String(error) })}\n`)
        })
      })
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = PORT_PROBLEMS[error.code ?? '']
      const sentence = `Port ${port} ${problem}; choose another with --port, or 0 for a free one.`
      reject(problem === undefined ? error : new StartFailure(sentence))
    })
    server.listen(port, HOST, resolve)
  })
}
