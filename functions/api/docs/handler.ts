import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

import { acceptsGzip } from '#functions/middleware/pack-answer.ts'
import { requestIdOf } from '#functions/middleware/request-id.ts'
import { openApiDocument } from '#shared/contract/openapi.ts'
import { problemOf } from '#shared/contract/problem.ts'

import { REFERENCE_PAGE, REFERENCE_POLICY, REFERENCE_SCRIPT } from './reference-page.ts'

type Event = Pick<
  APIGatewayProxyEventV2,
  'routeKey' | 'rawPath' | 'pathParameters' | 'headers' | 'requestContext'
>
type Result = APIGatewayProxyStructuredResultV2
export type DocsHandler = (event: Event) => Promise<Result>

interface Page {
  readonly type: string
  readonly read: () => string | Promise<string>
}

/** By route, or by the name of a file below `/docs`. */
const PAGES: ReadonlyMap<string, Page> = new Map([
  [
    'GET /openapi.json',
    { type: 'application/json', read: () => JSON.stringify(openApiDocument()) },
  ],
  ['GET /docs', { type: 'text/html; charset=utf-8', read: () => REFERENCE_PAGE }],
  ['reference.js', { type: 'text/javascript; charset=utf-8', read: () => REFERENCE_SCRIPT }],
  ['swagger-ui-bundle.js', packageFile('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
  ['swagger-ui.css', packageFile('swagger-ui.css', 'text/css; charset=utf-8')],
])

/** The Lambda handler of what everybody may read: the OpenAPI document and the page that shows it. */
export function docsHandler(): DocsHandler {
  const written = new Map<Page, WrittenPage>()
  return async (event) => {
    const page = PAGES.get(event.pathParameters?.['file'] ?? event.routeKey)
    if (page === undefined) return notFound(event)
    const content = written.get(page) ?? (await writePage(page))
    written.set(page, content)
    return answer(event, content)
  }
}

export const handler = docsHandler()

/** A page as it is sent. */
interface WrittenPage {
  readonly type: string
  readonly text: string
  /** Packed with gzip, in base64. */
  readonly packed: string
}

async function writePage({ type, read }: Page): Promise<WrittenPage> {
  const text = await read()
  return { type, text, packed: gzipSync(text).toString('base64') }
}

/** `infra` copies these files to where the bundled function finds them too. */
function packageFile(name: string, type: string): Page {
  return {
    type,
    read: () => {
      const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')
      return readFile(path.join(path.dirname(manifest), name), 'utf8')
    },
  }
}

function answer(event: Event, { type, text, packed }: WrittenPage): Result {
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=300',
    'content-security-policy': REFERENCE_POLICY,
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    'x-request-id': requestIdOf(event),
  }
  if (!acceptsGzip(event.headers['accept-encoding'])) {
    return { statusCode: 200, headers, body: text }
  }
  return {
    statusCode: 200,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: packed,
    isBase64Encoded: true,
  }
}

function notFound(event: Event): Result {
  const refusal = { code: 'not_found', detail: 'There is no such page' } as const
  const request = { id: requestIdOf(event), path: event.rawPath }
  return {
    statusCode: 404,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': request.id },
    body: JSON.stringify(problemOf(refusal, request)),
  }
}
