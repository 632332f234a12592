import { parseArgs } from 'node:util'

import { systemTimers } from '#shared/adapters/local/timers.ts'

import { StartFailure } from './failure.ts'
import { localRuntimeSettings } from './local-runtime-settings.ts'
import { joinLocalStack } from './local-runtime.ts'
import { followClock } from './remote-clock.ts'

/** `npm run voice-runtime`: a voice runtime in a process of its own, for a local stack that is up. */
async function main(): Promise<void> {
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
  const end = async () => {
    await runtime.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
  // A runtime without its stack has nothing to live for.
  await clock.lost
  process.exit(0)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof StartFailure ? error.message : String(error)}\n`)
  process.exit(1)
})
