import * as z from 'zod'

import { parseIso } from '#shared/domain/time.ts'

/** A century of seconds: beyond it somebody meant milliseconds. */
const ADVANCE_SECS_MAX = 3_155_760_000

const requestSchema = z.union([
  z.strictObject({ advance_seconds: z.number().min(0).max(ADVANCE_SECS_MAX) }),
  z.strictObject({ set: z.string() }),
])

/** `{"advance_seconds": N}` or `{"set": "<ISO>"}` as epoch ms; the clock never goes back. */
export function parseClockRequest(
  body: string,
  now: number,
):
  | { readonly kind: 'until'; readonly until: number }
  | { readonly kind: 'refused'; readonly reason: string } {
  const refused = (reason: string) => ({ kind: 'refused', reason }) as const
  let parsed: z.infer<typeof requestSchema>
  try {
    parsed = requestSchema.parse(JSON.parse(body))
  } catch {
    return refused('Send {"advance_seconds": N} with N >= 0, or {"set": "<ISO 8601 with offset>"}.')
  }
  if ('advance_seconds' in parsed)
    return { kind: 'until', until: now + parsed.advance_seconds * 1_000 }
  const until = parseIso(parsed.set)
  if (until === null) return refused('`set` must be an ISO 8601 time with an offset or Z.')
  if (until < now) return refused('The test clock only goes forward.')
  return { kind: 'until', until }
}
