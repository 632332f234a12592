import { spawn, type ChildProcess } from 'node:child_process'

/** Reads until this process is gone, for whatever reason: the kernel closes its end of the pipe. */
const WATCH = "read -r _; trap '' TERM; kill -TERM 0; sleep 2; kill -KILL 0"
/** `$0` watches beside the program, which takes this shell's place; only the watcher has the pipe. */
const LAUNCH = '/bin/sh -c "$0" <&3 >/dev/null 2>&1 & exec "$@" 3<&-'

/** A program that never outlives this process. */
export interface TetheredProcess {
  readonly child: ChildProcess
  /** Resolves when it has ended; never rejects. */
  readonly ended: Promise<void>
  /** Asks it to end, and makes it end when it takes longer than `graceMs`. */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts a program that ends when this process does, also by `kill -9`, and only then: it leads a
 * process group of its own, so that a terminal's Ctrl-C leaves its end to this process. What it
 * leaves behind of its own children ends with it.
 */
export function spawnTethered(
  command: string,
  args: readonly string[],
  options: {
    readonly stdout: 'pipe' | 'ignore'
    readonly stderr: 'pipe' | 'inherit'
    readonly cwd?: string
  },
): TetheredProcess {
  const { stdout, stderr, ...rest } = options
  const child = spawn('/bin/sh', ['-c', LAUNCH, WATCH, command, ...args], {
    ...rest,
    stdio: ['ignore', stdout, stderr, 'pipe'],
    detached: true,
  })
  // The pipe breaks when the group is killed, which is as it should be.
  child.stdio[3]?.on('error', () => {})
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => {
      killGroup(child)
      resolve()
    })
  })
  const stop = async (graceMs: number) => {
    child.kill('SIGTERM')
    const killer = setTimeout(() => killGroup(child), graceMs)
    await ended
    clearTimeout(killer)
  }
  return { child, ended, stop }
}

/** The watcher among them, so that the group still is this one. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nobody is left.
  }
}
