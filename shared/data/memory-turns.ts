import type { Share, Waiter } from '#shared/domain/turns.ts'
import type { TurnStore } from '#shared/ports/turn-store.ts'

interface Line {
  /** By scope. */
  readonly waiters: Map<string, Waiter>
  /** By party. */
  readonly shares: Map<string, Share>
}

/** Turns in memory. */
export function memoryTurns(): TurnStore {
  const lines = new Map<string, Line>()
  const lineAt = (permit: string): Line => {
    const line = lines.get(permit) ?? { waiters: new Map(), shares: new Map() }
    lines.set(permit, line)
    return line
  }
  return {
    find: async (permit) => {
      const { waiters, shares } = lineAt(permit)
      return { waiters: [...waiters.values()], shares: [...shares.values()] }
    },
    wait: async (permit, { scope, party, isServed, now }) => {
      const { waiters } = lineAt(permit)
      const since = isServed ? now : (waiters.get(scope)?.since ?? now)
      waiters.set(scope, { scope, party, since, seenAt: now })
    },
    leave: async (permit, scope) => {
      lineAt(permit).waiters.delete(scope)
    },
    begin: async (permit, share) => {
      lineAt(permit).shares.set(share.party, share)
    },
    serve: async (permit, party, { calls, now }) => {
      const { shares } = lineAt(permit)
      const share = shares.get(party)
      if (share !== undefined) {
        shares.set(party, { party, calls: share.calls + calls, lastAt: now })
      }
    },
  }
}
