import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import type { Edit, Mutation } from './mutations.ts'
import type { SimulatedCase } from './simulate.ts'

/** What a worker is asked: to look for a seed that shows a planted bug. */
export interface Hunt {
  readonly mutation: Mutation
  readonly seedsMax: number
  /** Whether the case is to be made smaller. */
  readonly minimises?: boolean
}

/** `seed` is null when none showed it. */
export interface Catch {
  readonly seed: number | null
  readonly failure: string | null
  readonly smallest?: SimulatedCase
}

const { mutation, seedsMax, minimises = false } = workerData as Hunt
const unplanted = new Set(mutation.edits)

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const edits = mutation.edits.filter(({ file }) => url.endsWith(`/${file}`))
    if (edits.length === 0) return loaded
    // Modules in TypeScript are loaded as bytes.
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    return { ...loaded, source: edits.reduce(plant, source) }
  },
})

function plant(source: string, edit: Edit): string {
  const text = new RegExp(edit.find.split(/\s+/).map(escape).join('\\s+'))
  if (text.test(source)) unplanted.delete(edit)
  return source.replace(text, () => edit.plant)
}

function escape(word: string): string {
  return word.replaceAll(/[^\w\s]/g, '\\$&')
}

const { simulate } = await import('./simulate.ts')
const { minimise } = await import('./minimise.ts')
for (const { file, find } of unplanted) throw new Error(`${file} does not say any more: ${find}`)

async function hunt(): Promise<Catch> {
  for (let seed = 1; seed <= seedsMax; seed += 1) {
    const { failure } = await simulate({ seed })
    if (failure !== null)
      return minimises ? { seed, ...(await minimise({ seed }, failure)) } : { seed, failure }
  }
  return { seed: null, failure: null }
}

// To a port, which has no origin as a window has.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await hunt())
