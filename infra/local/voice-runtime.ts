import { parseArgs } from 'node:util'

import { systemTimers } from '#shared/adapters/local/timers.ts'

import { StartFailure } from './failure.ts'
import { localRuntimeSettings } from './local-runtime-settings.ts'
import { joinLocalStack } from './local-runtime.ts'
import { followClock } from './remote-clock.ts'
import { runProgram } from './run-program.ts'

/** `npm run voice-runtime`: a voice runtime in a process of its own, for a local stack that is up. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { 'local-url': { type: 'string', default: 'http://127.0.0.1:8787/_local' } },
  })
  const localUrl = values['local-url']
  const answer = await fetch(`${localUrl}/runtime`).catch(() => null)
  if (answer === null || !answer.ok) {
    throw new StartFailure(
      `No local stack answers at ${localUrl}; start one with npm start, or name it with --local-url.`,
    )
  }
  const settings = localRuntimeSettings.parse(await answer.json())
  const clock = await followClock({ localUrl, speed: settings.speed, timers: systemTimers })
  const runtime = await joinLocalStack({ settings, localUrl, clock, timers: clock })
  process.stdout.write(`voice runtime ready (process ${process.pid})\n`)
  const asked = new Promise<'asked'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => resolve('asked'))
  })
  const reason = await Promise.race([asked, clock.lost])
  if (reason !== 'asked') throw new StartFailure(`The local stack at ${localUrl} is gone.`)
  await runtime.stop()
  return 0
}

runProgram(main)
