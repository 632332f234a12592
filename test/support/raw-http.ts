import http from 'node:http'

import { BASE_PATH } from '#shared/contract/route.ts'

import type { RawAnswer, RawRequest } from './in-process-api.ts'

/** Sends over a socket what no well-behaved client would write there, paths included. */
export function rawHttp(port: number) {
  return ({ method, target, headers = {}, body = '' }: RawRequest): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(body)
      const request = http.request(
        {
          port,
          host: '127.0.0.1',
          method,
          path: BASE_PATH + target,
          headers: { ...headers, ...(bytes.length > 0 && { 'content-length': bytes.length }) },
        },
        (response) => {
          const pieces: Uint8Array[] = []
          response.on('data', (piece: Uint8Array) => pieces.push(piece))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: flat(response.headers),
              text: Buffer.concat(pieces).toString(),
            }),
          )
        },
      )
      request.on('error', reject)
      request.end(bytes)
    })
}

function flat(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
