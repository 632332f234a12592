import { defineConfig } from 'vitest/config'

const project = (name: string, extra: Record<string, unknown> = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], ...extra },
})

export default defineConfig({
  test: {
    projects: [
      project('unit'),
      project('architecture'),
      project('contract', { testTimeout: 30_000, hookTimeout: 60_000 }),
      project('component', { testTimeout: 60_000, hookTimeout: 60_000 }),
      project('simulation', { testTimeout: 120_000 }),
      project('end-to-end', { testTimeout: 180_000, hookTimeout: 120_000, fileParallelism: false }),
    ],
  },
})
