import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'

import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'

import type { DocsHandler } from '#functions/api/docs/handler.ts'
import { KEYS } from '#test/support/api-ports.ts'

import { bundledApp, type Resource, ROOT } from './synthesize.ts'

/** Cold starts grow with the size, which unlike time is the same on every machine. */
const { 'api.bundles.kb': BUNDLE_KB_MAX } = JSON.parse(
  readFileSync(path.join(ROOT, 'test/benchmark/budgets.json'), 'utf8'),
) as { 'api.bundles.kb': number }

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
    expect(readFileSync(file).length / 1_024).toBeLessThanOrEqual(BUNDLE_KB_MAX)
    const program = `import { handler } from ${JSON.stringify(file)}; console.log(typeof handler)`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: {},
      encoding: 'utf8',
    })
    // Nothing but this is printed, and nothing keeps the process alive.
    expect(output).toBe('function\n')
  })

  test('finds its credentials in the environment, though it knows no other place', async () => {
    const authorizations: (string | undefined)[] = []
    const dynamoDb = createServer((request, response) => {
      authorizations.push(request.headers.authorization)
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}')
    })
    await new Promise<void>((resolve) => dynamoDb.listen(0, '127.0.0.1', resolve))
    const { port } = dynamoDb.address() as AddressInfo
    const file = bundles.find(([name]) => name === 'authorizer')?.[1]
    const program = `import { handler } from ${JSON.stringify(file)}
      const authorization = ${JSON.stringify(`Bearer ${KEYS.live}`)}
      console.log(JSON.stringify(await handler({ headers: { authorization } })))`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', program],
      {
        env: {
          TABLE_NAME: 'records',
          AWS_REGION: 'eu-west-1',
          AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
          AWS_SECRET_ACCESS_KEY: 'secret',
          AWS_SESSION_TOKEN: 'token',
          AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
        },
      },
    )
    dynamoDb.close()
    expect(JSON.parse(stdout)).toEqual({ isAuthorized: true, context: { invalid: true } })
    expect(authorizations).toEqual([expect.stringContaining('Credential=AKIDEXAMPLE/')])
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
