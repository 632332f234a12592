/**
 * `npm run generate:api-client`: writes the typed client of the OpenAPI document, which our own
 * tests use. Another file than the usual one may be named.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { openApiDocument } from '#shared/contract/openapi.ts'

const TARGET = path.resolve(import.meta.dirname, '../../test/support/generated/parley-client.ts')
const GENERATOR = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/** What Node's declarations lack, or say otherwise, of the browser's; nothing is left of it. */
const NAMES = `type HeadersInit = Headers | [string, string][] | Record<string, string>
type RequestInit = Omit<globalThis.RequestInit, 'headers'> & { headers?: HeadersInit }
type BodyInit = NonNullable<RequestInit['body']>
declare const document: undefined

`

function main(target: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-client-'))
  try {
    const description = path.join(folder, 'openapi.json')
    const output = path.join(folder, 'client.ts')
    writeFileSync(description, JSON.stringify(openApiDocument()))
    const run = spawnSync(
      process.execPath,
      [GENERATOR, 'generate-client', description, '--output', output].concat([
        '--import-ext',
        'ts',
        '--error-mode',
        'result',
        '--args-style',
        'grouped',
      ]),
      {
        cwd: folder,
        encoding: 'utf8',
        // Otherwise it asks an outside address for a newer version, and tells one of this run.
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    if (run.status !== 0) throw new Error(`The generator failed: ${run.stderr}`)
    writeFileSync(target, readFileSync(output, 'utf8').replace(/^(?=export )/m, NAMES))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

main(process.argv[2] ?? TARGET)
