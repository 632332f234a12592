import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import * as z from 'zod'

import { formatApiKey } from '#shared/domain/api-key.ts'

import { StartFailure } from './failure.ts'

const FORMAT = 1
const SQLITE_BUSY = 5

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
  saveClock(aheadMs: number): void
  /** Gives the folder free for another stack. */
  release(): void
}

/**
 * Opens a data folder, or makes one. Two stacks never share one: `chosen` (from the command line)
 * being in use is a failure; the default being in use gives a temporary folder instead. Throws
 * StartFailure.
 */
export function openDataFolder(chosen: string | undefined, fallback: string): DataFolder {
  const folder = path.resolve(chosen ?? fallback)
  const lock = takeLock(folder)
  if (lock === null && chosen === undefined) {
    return openDataFolder(mkdtempSync(path.join(tmpdir(), 'parley-')), fallback)
  }
  if (lock === null) {
    throw new StartFailure(
      `The data folder ${folder} is in use by another Parley; choose another with --data.`,
    )
  }
  try {
    const known = readState(folder)
    const state = known ?? newState()
    if (known === null) writeState(folder, state)
    return {
      path: folder,
      state,
      saveClock: (clockAheadMs) => writeState(folder, { ...state, clockAheadMs }),
      release: () => lock.close(),
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

/**
 * The lock of a database file, because the system takes it from a process that dies, however it does.
 * Null when another stack has it.
 */
function takeLock(folder: string): DatabaseSync | null {
  try {
    mkdirSync(path.join(folder, 'recordings'), { recursive: true })
    const lock = new DatabaseSync(path.join(folder, 'lock'))
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw unwritable(folder)
  }
}

/** Null in a folder that was not used before. */
function readState(folder: string): LocalState | null {
  const file = path.join(folder, 'state.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw damaged(folder, file)
    return null
  }
  try {
    return stateSchema.parse(JSON.parse(text))
  } catch {
    throw damaged(folder, file)
  }
}

/** A process that dies meanwhile leaves the state as it was. */
function writeState(folder: string, state: LocalState): void {
  const file = path.join(folder, 'state.json')
  try {
    writeFileSync(`${file}.part`, `${JSON.stringify(state, null, 2)}\n`)
    renameSync(`${file}.part`, file)
  } catch {
    throw unwritable(folder)
  }
}

/** The sentence for a folder in which nothing can be stored. */
export function unwritable(folder: string): StartFailure {
  return new StartFailure(
    `The data folder ${folder} cannot be written; choose another with --data.`,
  )
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
