import type { Clock, Timers } from '#shared/ports/clock.ts'

import { CLOCK_REPEAT_MS } from './clock-watchers.ts'

/** A stack whose clock was not heard for this long is gone, or as good as gone. */
const SILENCE_MAX_MS = 3 * CLOCK_REPEAT_MS

/** The test clock of a local stack, followed from another process. */
export interface RemoteClock extends Clock, Timers {
  /** Resolves when the stack is gone. */
  readonly lost: Promise<void>
}

/** Follows `{local_url}/clock/watch`; resolves when the first time is known. */
export async function followClock(options: {
  readonly localUrl: string
  readonly speed: number
  readonly timers: Timers
}): Promise<RemoteClock> {
  const { localUrl, speed, timers } = options
  const silence = new AbortController()
  let cancelSilence = () => {}
  const heard = () => {
    cancelSilence()
    cancelSilence = timers.after(SILENCE_MAX_MS, () => silence.abort())
  }
  heard()
  const response = await fetch(`${localUrl}/clock/watch`, { signal: silence.signal })
  if (!response.ok || response.body === null) throw new Error('The local stack has no clock')
  let now = 0
  let readAt = 0
  const read = async (onFirst: () => void) => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      heard()
      text += decoder.decode(chunk, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue
        ;({ now } = JSON.parse(line.slice('data: '.length)) as { now: number })
        readAt = performance.now()
        onFirst()
      }
    }
  }
  const { promise: known, resolve: onFirst } = Promise.withResolvers<void>()
  const lost = read(onFirst)
    .catch(() => {})
    .finally(() => cancelSilence())
  await Promise.race([known, lost])
  return {
    now: () => Math.floor(now + (performance.now() - readAt) * speed),
    after: (delayMs, run) => timers.after(delayMs / speed, run),
    lost,
  }
}
