import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'

import type { DocsHandler } from '#functions/api/docs/handler.ts'

import { bundledApp, type Resource, ROOT } from './synthesize.ts'

/** Cold starts grow with it. */
const BUNDLE_KB_MAX = 1_450

const { app, stacks } = bundledApp('dev')
const functions: Record<string, Resource> = Template.fromStack(stacks.app).findResources(
  'AWS::Lambda::Function',
) as never

/** Each function by the file that it will run. */
const bundles = Object.entries(functions).map(([id, { Properties }]) => {
  const asset = `asset.${path.basename(Properties.Code.S3Key, '.zip')}`
  return [id.slice(0, -8), path.join(app.outdir, asset, 'index.mjs')] as const
})

describe('a bundled function', () => {
  test('is not another one', () => {
    expect(new Set(bundles.map(([, file]) => file)).size).toBe(Object.keys(functions).length)
  })

  test.each(bundles)('%s is small, and starts without environment or network', (_, file) => {
    expect(readFileSync(file).length / 1_024).toBeLessThan(BUNDLE_KB_MAX)
    const program = `import { handler } from ${JSON.stringify(file)}; console.log(typeof handler)`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: {},
      encoding: 'utf8',
    })
    // Nothing but this is printed, and nothing keeps the process alive.
    expect(output).toBe('function\n')
  })

  test('of the docs has the files of the reference page beside it', async () => {
    const file = bundles.find(([name]) => name.startsWith('docs'))?.[1] ?? ''
    const { handler } = (await import(file)) as { handler: DocsHandler }
    const ask = (name: string) =>
      handler({
        routeKey: 'GET /docs/{file}',
        rawPath: `/v1/docs/${name}`,
        pathParameters: { file: name },
        headers: {},
        requestContext: { requestId: 'r-1' } as Parameters<DocsHandler>[0]['requestContext'],
      })
    for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      const { statusCode, body } = await ask(name)
      const original = readFileSync(path.join(ROOT, 'node_modules/swagger-ui-dist', name), 'utf8')
      expect([name, statusCode, body === original]).toEqual([name, 200, true])
    }
  })
})
