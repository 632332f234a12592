import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** Every process that descends from `pid`, children first; those that have ended are left out. */
export function descendantsOf(pid: number): readonly ProcessEntry[] {
  const all = livingProcesses()
  const found: ProcessEntry[] = []
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent))
    found.push(...children)
    parents = children.map((child) => child.pid)
  }
  return found
}

/** Whether any of these processes still runs. One that ended and was not buried does not. */
export function survivorsOf(processes: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const living = livingProcesses()
  return processes.filter(({ pid, command }) =>
    living.some((other) => other.pid === pid && other.command === command),
  )
}

function livingProcesses(): readonly ProcessEntry[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

function fromProc(): readonly ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const status = readFileSync(`/proc/${name}/stat`, 'utf8')
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      // The name in brackets may hold spaces; what follows it does not.
      const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }]
    } catch {
      return []
    }
  })
}

function fromPs(): readonly ProcessEntry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' })
  return lines.split('\n').flatMap((line) => {
    const [, pid, parent, state = '', command = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined || state.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}
