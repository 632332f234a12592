import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { routes } from '#shared/contract/routes.ts'
import { type Api, startApi } from '#test/support/api-server.ts'
import { chromiumPath, startBrowser } from '#test/support/browser.ts'
import { keyedOperations } from '#test/support/seed-records.ts'

let api: Api
let origin: string
beforeAll(async () => {
  api = await startApi()
  origin = `http://127.0.0.1:${api.port}`
})
afterAll(() => api.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(origin + path, { headers })

describe('the reference page', () => {
  test('needs no key, and names no outside address', async () => {
    const page = await get('/v1/docs')
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:|\*/)
    const script = await get('/v1/docs/reference.js')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const texts = [await page.text(), await script.text()]
    expect(texts.join('\n')).not.toMatch(/https?:|"\/\//)
    expect(texts[1]).toContain("url: 'openapi.json'")
  })

  test.each([
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['swagger-ui.css', 'text/css; charset=utf-8'],
  ])('%s is the one of swagger-ui-dist, whole', async (file, type) => {
    const answer = await get(`/v1/docs/${file}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    const resolve = createRequire(import.meta.url).resolve
    expect(await answer.text()).toBe(readFileSync(resolve(`swagger-ui-dist/${file}`), 'utf8'))
  })

  test('is sent small to who can unpack it', async () => {
    const packed = await get('/v1/openapi.json', { 'accept-encoding': 'gzip' })
    const plain = await get('/v1/openapi.json', { 'accept-encoding': 'identity' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(
      Number(plain.headers.get('content-length')) / 4,
    )
    expect(await packed.json()).toEqual(await plain.json())
  })

  test.each(['openapi.json', 'docs', 'docs/swagger-ui.css', 'docs/x'])(
    'decisions 1 X-Request-Id is on the answer to /%s, also the client’s own',
    async (file) => {
      const own = await get(`/v1/${file}`, { 'x-request-id': 'mine-1' })
      expect(own.headers.get('x-request-id')).toBe('mine-1')
      expect((await get(`/v1/${file}`)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  test.each(['x', '..%2f..%2fpackage.json', 'package.json', '__proto__', 'GET /docs/'])(
    'there is no file %j',
    async (file) => {
      const answer = await get(`/v1/docs/${encodeURIComponent(file)}`)
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }])
    },
  )
})

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('the reference page shows every operation, without errors, from our own origin', async () => {
    const page = await browser.newPage()
    const complaints: string[] = []
    const requested: string[] = []
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`))
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(`${origin}/v1/docs`, { waitUntil: 'networkidle0' })
    await page.waitForSelector('.opblock')

    const shown = await page.$$eval('.opblock', (blocks) =>
      blocks.map((block) => {
        const method = block.querySelector('.opblock-summary-method')?.textContent
        const path = block.querySelector('.opblock-summary-path')?.getAttribute('data-path')
        const { height } = block.getBoundingClientRect()
        return `${block.id} ${method} ${path}${height > 0 ? '' : ' (hidden)'}`
      }),
    )
    const wanted = keyedOperations.map(
      ([id, { group, method, path }]) => `operations-${group}-${id} ${method} ${path}`,
    )
    const webhook = 'operations-webhooks-callCompleted POST call.completed'
    expect(shown.toSorted()).toEqual([...wanted, webhook].toSorted())
    expect(complaints).toEqual([])
    expect(requested.filter((url) => !url.startsWith(`${origin}/`) && !isData(url))).toEqual([])
    expect(requested).toContain(`${origin}/v1/openapi.json`)
  })

  test('what the page leaves out is itself, and what carriers call', () => {
    const shown = new Set(keyedOperations.map(([id]) => id))
    const left = Object.keys(routes).filter((id) => !shown.has(id as never))
    expect(left.toSorted()).toEqual([
      'getOpenApi',
      'getReference',
      'getReferenceFile',
      'receiveCarrierEvent',
      'receiveInboundCall',
    ])
  })

  test('without Chromium the tests say what to do, and fail', () => {
    const nowhere = () => false
    expect(() => chromiumPath({}, nowhere)).toThrow(/no Chromium at the usual places: install it/)
    expect(() => chromiumPath({ CHROMIUM_PATH: '/x' }, nowhere)).toThrow(/no Chromium at \/x: /)
    expect(chromiumPath({ CHROMIUM_PATH: '/x' }, (path) => path === '/x')).toBe('/x')
  })
})

function isData(url: string): boolean {
  return url.startsWith('data:')
}
