import type { Pacing } from '#shared/ports/pacing.ts'

import { intervalOf, takePaced } from './gcra.ts'

/** Pacing in memory. */
export function memoryPacing(): Pacing {
  /** By trunk: the moment up to which the even pace is used up. */
  const usedUp = new Map<string, number>()
  return {
    take: async (request) => {
      const { taken, usedUpTo, until } = takePaced(usedUp.get(request.trunk) ?? null, request)
      usedUp.set(request.trunk, usedUpTo)
      return { taken, until }
    },
    giveBack: async (request) => {
      const usedUpTo = usedUp.get(request.trunk)
      if (usedUpTo === undefined) return
      usedUp.set(request.trunk, usedUpTo - request.count * intervalOf(request))
    },
  }
}
