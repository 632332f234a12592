import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { bundleFunction, ROOT } from '#infra/generate/function-bundle.ts'

export interface BundleFigures {
  readonly kb: number
  readonly importMs: number
}

const IMPORTS = 5

/** Size and import time (the median of five processes) of every Lambda bundle, as it is deployed. */
export function bundleFigures(): Record<string, BundleFigures> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-bundles-'))
  try {
    return Object.fromEntries(
      lambdaEntries().map((entry) => {
        const output = path.join(folder, entry.replaceAll('/', '-'))
        bundleFunction(entry, output)
        const file = path.join(output, 'index.mjs')
        return [entry, { kb: kilobytes(file), importMs: importTime(file) }]
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Whatever exports a Lambda handler. */
function lambdaEntries(): string[] {
  return readdirSync(path.join(ROOT, 'functions'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `functions/${file}`)
    .filter((file) => /^export const handler\b/m.test(readFileSync(path.join(ROOT, file), 'utf8')))
    .toSorted((one, other) => (one < other ? -1 : 1))
}

function kilobytes(file: string): number {
  return Math.round(statSync(file).size / 1_024)
}

function importTime(file: string): number {
  const program = `const start = performance.now(); await import(${JSON.stringify(file)})
    console.log(performance.now() - start)`
  const times = Array.from({ length: IMPORTS }, () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', program], {
        env: {},
        encoding: 'utf8',
      }),
    ),
  ).toSorted((one, other) => one - other)
  return Math.round(times[Math.floor(IMPORTS / 2)] ?? 0)
}
