import { memoryStores } from '#shared/data/memory.ts'

import { allStoresSuite } from './all-stores.suite.ts'

allStoresSuite(async () => memoryStores())
