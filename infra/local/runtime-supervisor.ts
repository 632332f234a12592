import path from 'node:path'

import type { Teardown } from './teardown.ts'
import { spawnTethered, type TetheredProcess } from './tethered-process.ts'

const RESTART_MS = 500
const READY_TIMEOUT_MS = 15_000
const STOP_GRACE_MS = 2_500

/**
 * Keeps one voice runtime process running until `teardown`, as ECS does: when it dies, another takes
 * its place. Resolves when the first one is ready, or takes too long for that.
 */
export async function superviseRuntime(localUrl: string, teardown: Teardown): Promise<void> {
  const program = path.join(import.meta.dirname, 'voice-runtime.ts')
  teardown.throwIfBegun()
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  let isStopping = false
  let current: TetheredProcess
  const start = () => {
    current = spawnTethered(process.execPath, [program, '--local-url', localUrl], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    // The only thing that it ever prints there is that it is ready.
    current.child.stdout?.once('data', () => onReady())
    void current.ended.then(() => {
      if (!isStopping) setTimeout(() => !isStopping && start(), RESTART_MS)
    })
  }
  start()
  teardown.add(() => {
    isStopping = true
    return current.stop(STOP_GRACE_MS)
  })
  const patience = setTimeout(onReady, READY_TIMEOUT_MS)
  await ready
  clearTimeout(patience)
}
