import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { expect, test } from 'vitest'

import { openApiDocument } from '#shared/contract/openapi.ts'

const REDOCLY = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/** What Redocly's linter finds by its recommended rules. */
function problemsOf(document: unknown): { readonly ruleId: string }[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-openapi-'))
  try {
    const file = path.join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(document))
    const run = spawnSync(
      process.execPath,
      [REDOCLY, 'lint', file, '--extends', 'recommended', '--format', 'json'],
      {
        encoding: 'utf8',
        cwd: folder,
        // Otherwise it asks an outside address for a newer version, and tells one of this run.
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    return JSON.parse(run.stdout).problems
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the linter finds no error in the document, and nothing to warn of', () => {
  expect(problemsOf(openApiDocument())).toEqual([])
})

test('the linter would find an operation without a summary, and a path that lacks its variable', () => {
  const document = structuredClone(openApiDocument()) as {
    paths: Record<string, Record<string, { summary?: string; parameters?: unknown[] }>>
  }
  delete document.paths['/voices']?.['get']?.summary
  delete document.paths['/call/{id}']?.['get']?.parameters
  const rules = problemsOf(document).map(({ ruleId }) => ruleId)
  expect(rules.toSorted()).toEqual(['operation-summary', 'path-parameters-defined'])
})
