import { cpSync, globSync } from 'node:fs'
import path from 'node:path'

import { buildSync } from 'esbuild'

export const ROOT = path.resolve(import.meta.dirname, '../..')

/** What a Lambda looks for in `Handler: index.handler`. */
const FILE = 'index.mjs'

/**
 * Where the SDK looks for credentials when the environment has none, which in Lambda it always has.
 * It would import these at that moment only.
 */
const OTHER_CREDENTIALS = [
  ...['http', 'ini', 'login', 'process', 'sso', 'web-identity'].map(
    (from) => `@aws-sdk/credential-provider-${from}`,
  ),
  '@aws-sdk/nested-clients',
  '@aws-sdk/token-providers',
  '@smithy/credential-provider-imds',
]

/** Makes one file of a function's `entry` (from the root of the project), with its source map. */
export function bundleFunction(entry: string, outputFolder: string): void {
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: path.join(outputFolder, FILE),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    external: OTHER_CREDENTIALS,
    sourcemap: true,
    sourcesContent: false,
  })
}

/** Puts files of the project (patterns from its root), such as those of packages, beside a bundle. */
export function copyFiles(patterns: readonly string[], outputFolder: string): void {
  for (const file of globSync([...patterns], { cwd: ROOT })) {
    cpSync(path.join(ROOT, file), path.join(outputFolder, file))
  }
}
