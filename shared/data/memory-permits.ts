import type { Permits } from '#shared/ports/permits.ts'

/** Permits in memory: one map per scope, no shards. */
export function memoryPermits(): Permits {
  /** By scope: holder to epoch ms. */
  const scopes = new Map<string, Map<string, number>>()
  const caps = new Map<string, number>()
  const count = (scope: string, now: number) =>
    [...(scopes.get(scope)?.values() ?? [])].filter((until) => until > now).length
  return {
    acquire: async ({ scope, cap, holder, now, until }) => {
      const leases = scopes.get(scope) ?? new Map<string, number>()
      if (!leases.has(holder) && count(scope, now) >= (caps.get(scope) ?? cap)) return null
      for (const [other, expiry] of leases) {
        if (expiry <= now) leases.delete(other)
      }
      scopes.set(scope, leases.set(holder, until))
      return { scope, shard: 0 }
    },
    release: async ({ scope }, holder) => {
      scopes.get(scope)?.delete(holder)
    },
    extend: async ({ scope }, holder, until) => {
      const leases = scopes.get(scope)
      if (leases?.has(holder) !== true) return false
      leases.set(holder, until)
      return true
    },
    room: async ({ scope, cap, now }) => Math.max(0, (caps.get(scope) ?? cap) - count(scope, now)),
    setCap: async (scope, cap) => {
      caps.set(scope, cap)
    },
    count: async (scope, now) => count(scope, now),
  }
}
