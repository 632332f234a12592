import { afterAll } from 'vitest'

import { type Api, startApi } from '#test/support/api-server.ts'
import { rawHttp } from '#test/support/raw-http.ts'
import { watchWrites } from '#test/support/watch-writes.ts'

import { fuzzSuite } from './fuzz.suite.ts'

let api: Api
afterAll(() => api.stop())

fuzzSuite(async () => {
  let writes: string[] = []
  api = await startApi({}, (ports) => {
    const watched = watchWrites(ports)
    writes = watched.writes
    return watched.ports
  })
  return { send: rawHttp(api.port), writes }
}, 1_500)
