import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'

import type { Clock } from '#shared/ports/clock.ts'

import type { SimulatedCarrier } from './carrier/simulated-carrier.ts'
import { parseClockRequest } from './clock-request.ts'
import type { ClockWatchers } from './clock-watchers.ts'
import type { ClockWork } from './clock-work.ts'
import type { LiveFeed } from './live-feed.ts'
import type { LocalRuntimeSettings } from './local-runtime-settings.ts'
import { receiveContacts } from './receive-contacts.ts'
import type { WebhookInbox } from './webhook-inbox.ts'

const BODY_BYTES_MAX = 1_048_576

export interface LocalApiOptions {
  readonly clock: Clock
  readonly clockWork: Pick<ClockWork, 'walkTo'>
  readonly watchers: ClockWatchers
  readonly inbox: WebhookInbox
  readonly feed: LiveFeed
  readonly carrier: Pick<SimulatedCarrier, 'handle'>
  readonly settings: LocalRuntimeSettings
}

/** What the local stack offers beside the product's own API, below `/_local`. */
export function localApi(options: LocalApiOptions) {
  return async (request: IncomingMessage, response: ServerResponse, subPath: string) => {
    const url = new URL(`http://local${subPath}`)
    const route = `${request.method} ${url.pathname}`
    if (url.pathname.startsWith('/carrier/')) return passToCarrier(options, request, response)
    if (route === 'GET /clock') return json(response, 200, nowOf(options.clock))
    if (route === 'GET /clock/watch') return options.watchers.add(response)
    if (route === 'POST /clock') return setClock(options, request, response)
    if (route === 'GET /runtime') return json(response, 200, options.settings)
    if (route === 'GET /webhooks') return json(response, 200, { webhooks: options.inbox.list() })
    if (route === 'POST /webhooks') return receiveWebhook(options, request, response, url)
    const observed = /^\/calls\/([\w-]+)\/observations$/.exec(url.pathname)?.[1]
    if (observed !== undefined && request.method === 'POST') {
      const body = await readBody(request)
      for (const line of body.split('\n')) if (line !== '') options.feed.publish(observed, line)
      return json(response, 200, {})
    }
    const watched = /^\/calls\/([\w-]+)\/live$/.exec(url.pathname)?.[1]
    if (watched !== undefined && request.method === 'GET')
      return options.feed.watch(watched, response)
    if (request.method === 'GET' && url.pathname.startsWith('/recordings/')) {
      return sendRecording(options.settings.recordingsFolder, url.pathname, response)
    }
    if (request.method === 'PUT') {
      const target = { folder: options.settings.contactsFolder, urlPath: url.pathname }
      const status = await receiveContacts(request, target)
      if (status !== null) return json(response, status, {})
    }
    return json(response, 404, { detail: 'There is nothing at this address' })
  }
}

/** The list of dials is for the person who tests; dialling is for the service. */
function passToCarrier(
  { carrier, settings }: LocalApiOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.method === 'GET') request.headers.authorization = `Bearer ${settings.internalSecret}`
  carrier.handle(request, response)
}

function nowOf(clock: Clock) {
  return { now: new Date(clock.now()).toISOString() }
}

async function setClock(
  options: LocalApiOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = parseClockRequest(await readBody(request), options.clock.now())
  if (asked.kind === 'refused') return json(response, 422, { detail: asked.reason })
  await options.clockWork.walkTo(asked.until)
  return json(response, 200, nowOf(options.clock))
}

async function receiveWebhook(
  options: LocalApiOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const status = options.inbox.receive({
    at: options.clock.now(),
    headers,
    body: await readBody(request),
    fail: Number(url.searchParams.get('fail') ?? 0),
  })
  return json(response, status, {})
}

async function sendRecording(
  folder: string,
  urlPath: string,
  response: ServerResponse,
): Promise<void> {
  const file = path.join(folder, path.normalize(decoded(urlPath.slice('/recordings'.length))))
  const found = file.startsWith(folder + path.sep) ? await stat(file).catch(() => null) : null
  if (found === null || !found.isFile()) {
    return json(response, 404, { detail: 'There is no such recording' })
  }
  response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': found.size })
  createReadStream(file).pipe(response)
}

/** Empty, which names nothing, for what is no URL encoding. */
function decoded(urlPath: string): string {
  try {
    return decodeURIComponent(urlPath)
  } catch {
    return ''
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(`${JSON.stringify(body)}\n`)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    if (bytes > BODY_BYTES_MAX) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
