import { channel } from 'node:diagnostics_channel'

import { expect, it } from 'vitest'

import { openLocalServer } from '#infra/local/local-server.ts'

it('a request that comes before there is anybody to answer it waits', async () => {
  const server = await openLocalServer(0)
  const arrived = new Promise((resolve) => {
    channel('http.server.request.start').subscribe(resolve)
  })
  const early = fetch(`${server.origin}/v1/assistants`)
  await arrived
  server.mount({
    gateway: (_, response) => response.end('here'),
    local: async (_, response) => void response.end('local'),
  })
  expect(await (await early).text()).toBe('here')
  expect(await (await fetch(`${server.origin}/_local/clock`)).text()).toBe('local')
  await server.stop()
})
