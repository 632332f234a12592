/**
 * A separate program that speaks: the only file that imports the GPL-licensed espeak-ng. Talks JSON lines:
 * reads `EspeakOrder`s on stdin, answers each in turn with an `EspeakAnswer` on stdout, ends with stdin.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

export interface EspeakOrder {
  readonly id: number
  readonly text: string
  /** An espeak-ng voice with an optional variant, such as `en-us+f3`. */
  readonly voice: string
  readonly wordsPerMinute: number
}

export type EspeakAnswer =
  /** A WAVE file, base64. */
  { readonly id: number; readonly wav: string } | { readonly id: number; readonly error: string }

interface EspeakModule {
  readonly FS: { readFile(path: string): Uint8Array }
}

type EspeakFactory = (options: {
  readonly arguments: readonly string[]
  readonly print: () => void
  readonly printErr: () => void
  readonly instantiateWasm: (
    imports: object,
    done: (instance: WasmInstance, module: object) => void,
  ) => object
}) => Promise<EspeakModule>

interface WasmInstance {
  readonly exports: object
}

/** The part of WebAssembly that is used here; its types come only with those of a browser. */
const { Module: WasmModule, Instance: WasmInstance } = (
  globalThis as unknown as {
    readonly WebAssembly: {
      readonly Module: new (bytes: Uint8Array) => object
      readonly Instance: new (module: object, imports: object) => WasmInstance
    }
  }
).WebAssembly

if (import.meta.main) await serve()

async function serve(): Promise<void> {
  // @ts-expect-error the package has no types
  const { default: factory }: { default: EspeakFactory } = await import('espeak-ng')
  const script = createRequire(import.meta.url).resolve('espeak-ng')
  const wasm = new WasmModule(readFileSync(script.replace(/\.js$/, '.wasm')))
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as EspeakOrder
    const answer = await speak(factory, wasm, order).catch((error: unknown): EspeakAnswer => {
      return { id: order.id, error: String(error) }
    })
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  }
}

/** The package runs a command line, so each order is a new instance of the compiled program. */
async function speak(
  factory: EspeakFactory,
  wasm: object,
  order: EspeakOrder,
): Promise<EspeakAnswer> {
  const speed = String(Math.round(order.wordsPerMinute))
  const module = await factory({
    arguments: ['-w', 'speech.wav', '-v', order.voice, '-s', speed, '--', order.text],
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports, done) => {
      const instance = new WasmInstance(wasm, imports)
      done(instance, wasm)
      return instance.exports
    },
  })
  const wav = Buffer.from(module.FS.readFile('speech.wav')).toString('base64')
  return { id: order.id, wav }
}
