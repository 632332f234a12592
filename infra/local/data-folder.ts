import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import * as z from 'zod'

import { formatApiKey } from '#shared/domain/api-key.ts'

import { StartFailure } from './failure.ts'

const FORMAT = 1

const stateSchema = z.strictObject({
  format: z.literal(FORMAT),
  apiKey: z.string().min(1),
  webhookSecret: z.string().startsWith('whsec_'),
  /** Between the parts of the stack: carrier token, event signature, media tokens. */
  internalSecret: z.string().min(32),
  /** How far the test clock had been put forward. */
  clockAheadMs: z.number().min(0),
})

export type LocalState = z.infer<typeof stateSchema>

/** Where one local stack keeps what must outlive it: secrets, database file, recordings. */
export interface DataFolder {
  readonly path: string
  readonly state: LocalState
  /** Whether it had been used before. */
  readonly isReused: boolean
  saveClock(aheadMs: number): void
  /** Gives the folder free for another stack. */
  release(): void
}

/**
 * Opens a data folder, or makes one. Two stacks never share one: `chosen` (from the command line)
 * being in use is a failure; the default being in use gives a temporary folder instead.
 */
export function openDataFolder(chosen: string | undefined, fallback: string): DataFolder {
  const folder = path.resolve(chosen ?? fallback)
  try {
    mkdirSync(path.join(folder, 'recordings'), { recursive: true })
  } catch {
    throw new StartFailure(
      `The data folder ${folder} cannot be written; choose another with --data.`,
    )
  }
  const lock = path.join(folder, 'in-use-by')
  if (isHeld(lock)) {
    if (chosen !== undefined) {
      throw new StartFailure(
        `The data folder ${folder} is in use by another Parley (process ${readFileSync(lock, 'utf8')}); choose another with --data.`,
      )
    }
    return openDataFolder(mkdtempSync(path.join(tmpdir(), 'parley-')), fallback)
  }
  const { state, isReused } = readState(folder)
  writeFileSync(lock, String(process.pid))
  const save = (next: LocalState) =>
    writeFileSync(path.join(folder, 'state.json'), `${JSON.stringify(next, null, 2)}\n`)
  if (!isReused) save(state)
  return {
    path: folder,
    state,
    isReused,
    saveClock: (clockAheadMs) => save({ ...state, clockAheadMs }),
    release: () => rmSync(lock, { force: true }),
  }
}

function isHeld(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function readState(folder: string): { state: LocalState; isReused: boolean } {
  const file = path.join(folder, 'state.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw damaged(folder, file)
    return { state: newState(), isReused: false }
  }
  try {
    return { state: stateSchema.parse(JSON.parse(text)), isReused: true }
  } catch {
    throw damaged(folder, file)
  }
}

/** The sentence for a folder whose content nobody can use any more. */
export function damaged(folder: string, what: string): StartFailure {
  return new StartFailure(
    `The data folder ${folder} is damaged (${path.basename(what)} cannot be read); delete it or choose another with --data.`,
  )
}

function newState(): LocalState {
  return {
    format: FORMAT,
    apiKey: formatApiKey({ mode: 'test', entropy: randomBase62(30) }),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    internalSecret: randomBytes(32).toString('hex'),
    clockAheadMs: 0,
  }
}

function randomBase62(length: number): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let text = ''
  while (text.length < length) {
    // Bytes from 248 on would make the first characters likelier than the others.
    for (const byte of randomBytes(length)) if (byte < 248) text += alphabet[byte % 62]
  }
  return text.slice(0, length)
}
