import { WAKE_LOST_MS, type Wakes } from '#shared/ports/wakes.ts'

/** Wake-ups in memory. */
export function memoryWakes(): Wakes {
  const asked = new Map<string, number>()
  const planned = new Map<string, { readonly at: number; readonly askedAt: number }>()
  return {
    claimNow: async (scope, now) => {
      const before = asked.get(scope)
      if (before !== undefined && before > now - WAKE_LOST_MS) return false
      asked.set(scope, now)
      return true
    },
    claimAt: async (scope, at, now) => {
      const before = planned.get(scope)
      const isHalfWay = before?.at === at && before.askedAt <= now - (at - now)
      if (before !== undefined && before.at <= at && before.at > now && !isHalfWay) return false
      planned.set(scope, { at, askedAt: now })
      return true
    },
    clearNow: async (scope) => {
      asked.delete(scope)
    },
  }
}
