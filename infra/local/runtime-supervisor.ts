import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'

const RESTART_MS = 500
const READY_TIMEOUT_MS = 15_000
const STOP_GRACE_MS = 8_000

export interface RuntimeSupervisor {
  stop(): Promise<void>
}

/**
 * Keeps one voice runtime process running, as ECS does: when it dies, another takes its place.
 * Resolves when the first one is ready.
 */
export async function superviseRuntime(localUrl: string): Promise<RuntimeSupervisor> {
  const program = path.join(import.meta.dirname, 'voice-runtime.ts')
  let child: ChildProcess
  let isStopping = false
  let ended: Promise<void>
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  const start = () => {
    child = spawn(process.execPath, [program, '--local-url', localUrl], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // The only thing that it ever prints there is that it is ready.
    child.stdout?.once('data', () => onReady())
    ended = new Promise((resolve) => {
      child.once('exit', () => {
        resolve()
        if (!isStopping) setTimeout(() => !isStopping && start(), RESTART_MS)
      })
    })
  }
  start()
  const patience = setTimeout(onReady, READY_TIMEOUT_MS)
  await ready
  clearTimeout(patience)
  return {
    stop: async () => {
      isStopping = true
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS)
      await ended
      clearTimeout(killer)
    },
  }
}
