import type { Pacing } from '#shared/ports/pacing.ts'

import { paceOf, paceWait } from './gcra.ts'

/** Pacing in memory. */
export function memoryPacing(): Pacing {
  /** By trunk: the moment up to which the even pace is used up. */
  const usedUp = new Map<string, number>()
  return {
    take: async (request) => {
      const { intervalMs, headStartMs } = paceOf(request)
      const usedUpTo = Math.max(usedUp.get(request.trunk) ?? request.now, request.now)
      if (usedUpTo > request.now + headStartMs) {
        return { kind: 'wait', until: paceWait(usedUpTo, request) }
      }
      usedUp.set(request.trunk, usedUpTo + intervalMs)
      return { kind: 'taken' }
    },
  }
}
