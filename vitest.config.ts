import { defineConfig } from 'vitest/config'

const project = (name: string, extra: Record<string, unknown> = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], ...extra },
})

// Nothing that these tests import keeps state, so that files may share one module graph: three
// times as fast.
const pure = { isolate: false }

export default defineConfig({
  test: {
    projects: [
      project('unit', pure),
      project('architecture', pure),
      project('contract', {
        testTimeout: 30_000,
        hookTimeout: 60_000,
        globalSetup: 'test/support/shared-dynamodb.ts',
      }),
      project('component', { testTimeout: 60_000, hookTimeout: 60_000 }),
      project('simulation', { testTimeout: 120_000 }),
      project('end-to-end', { testTimeout: 180_000, hookTimeout: 120_000, maxWorkers: 2 }),
    ],
  },
})
