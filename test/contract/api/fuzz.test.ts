import { memoryStores } from '#shared/data/memory.ts'
import { apiPorts } from '#test/support/api-ports.ts'
import { inProcessApi } from '#test/support/in-process-api.ts'
import { watchWrites } from '#test/support/watch-writes.ts'

import { fuzzSuite } from './fuzz.suite.ts'

fuzzSuite(async () => {
  const { ports, writes } = watchWrites(await apiPorts(memoryStores()))
  return { send: inProcessApi(ports), writes }
}, 20_000)
