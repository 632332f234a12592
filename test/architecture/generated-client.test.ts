import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { expect, test } from 'vitest'

import { readSource, ROOT } from './source-tree.ts'

const CLIENT = 'test/support/generated/parley-client.ts'

test('the client of our tests is the one of the contract (npm run generate:api-client)', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-client-'))
  try {
    const file = path.join(folder, 'client.ts')
    execFileSync(process.execPath, ['infra/generate/api-client.ts', file], { cwd: ROOT })
    const isCurrent = readFileSync(file, 'utf8') === readSource(CLIENT)
    expect(isCurrent, `${CLIENT} is out of date: npm run generate:api-client`).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
