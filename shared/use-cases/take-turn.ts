import { isTrunkPermit, organizationPermit, type PermitClaim } from '#shared/domain/permit-scope.ts'
import {
  FIRST_CALLS,
  firstShare,
  mayGo,
  nextTurn,
  shareOf,
  type Turns,
} from '#shared/domain/turns.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { sendAt } from './send-at.ts'

export type TurnPorts = Pick<ServicePorts, 'turns' | 'wakes' | 'permits' | 'queues' | 'clock'>

/** A scope that wants calls, as a permit's queue of waiters knows it. */
export interface Candidate {
  readonly scope: string
  readonly organizationId: string
}

/** How a candidate stands at one permit. */
export interface Standing {
  readonly permit: string
  readonly turns: Turns
  /** How many more calls it may begin now; 0 when the permit is full, or others go first. */
  readonly room: number
  /** There is room, and others go first. */
  readonly isOthersTurn: boolean
}

/** Reads how a candidate stands at each of the permits that concern all of its scope. */
export function findStandings(
  ports: TurnPorts,
  candidate: Candidate,
  claims: readonly PermitClaim[],
): Promise<Standing[]> {
  return Promise.all(
    claims.map(async ({ scope: permit, cap }): Promise<Standing> => {
      const now = ports.clock.now()
      const [turns, free] = await Promise.all([
        ports.turns.find(permit),
        ports.permits.room({ scope: permit, cap, now }),
      ])
      const isItsTurn = mayGo(turns, partyAt(permit, candidate), now)
      return {
        permit,
        turns,
        room: isItsTurn ? free : 0,
        isOthersTurn: free > 0 && !isItsTurn,
      }
    }),
  )
}

/**
 * Has a candidate wait for a permit. Whoever gives one back calls the one whose turn it is; what was
 * given back before it stood here has to be looked at once more.
 */
export async function waitFor(
  ports: TurnPorts,
  candidate: Candidate,
  { permit, turns, isServed }: Standing & { readonly isServed: boolean },
): Promise<void> {
  const now = ports.clock.now()
  const party = partyAt(permit, candidate)
  if (shareOf(turns, party, now) === null) {
    // Between the scopes of one organization nobody comes new.
    const liveCalls = isTrunkPermit(permit)
      ? await ports.permits.count(organizationPermit(candidate.organizationId), now)
      : FIRST_CALLS
    await ports.turns.begin(permit, firstShare(party, liveCalls, now))
  }
  await ports.turns.wait(permit, { scope: candidate.scope, party, isServed, now })
}

/** Counts what a candidate got where others wait too, and where it had to wait itself. */
export async function countServed(
  ports: TurnPorts,
  candidate: Candidate,
  served: { readonly standings: readonly Standing[]; readonly calls: number },
): Promise<void> {
  const now = ports.clock.now()
  await Promise.all(
    served.standings.map(async ({ permit, turns }) => {
      const party = partyAt(permit, candidate)
      if (shareOf(turns, party, now) === null) return
      await ports.turns.serve(permit, party, { calls: served.calls, now })
    }),
  )
}

/** A scope waits for these permits no more; whoever else does is called in its place. */
export async function leaveTurns(
  ports: TurnPorts,
  scope: string,
  standings: readonly Standing[],
): Promise<void> {
  await Promise.all(
    standings.map(async ({ permit, turns: { waiters } }) => {
      if (waiters.some((waiter) => waiter.scope === scope)) await ports.turns.leave(permit, scope)
      if (waiters.some((waiter) => waiter.scope !== scope)) await callNext(ports, permit)
    }),
  )
}

/** Wakes the scope whose turn it is at a permit, if any waits there; many calls are one wake-up. */
export async function callNext(ports: TurnPorts, permit: string): Promise<void> {
  const now = ports.clock.now()
  const scope = nextTurn(await ports.turns.find(permit), now)?.scope
  if (scope === undefined || !(await ports.wakes.claimNow(scope, now))) return
  await ports.queues.send('dispatch', { scope }, { group: scope })
}

/** The same at a moment (epoch ms), once however many wait for it. */
export async function callAtPace(
  ports: TurnPorts & Pick<ServicePorts, 'scheduler'>,
  trunk: string,
  at: number,
): Promise<void> {
  const now = ports.clock.now()
  const scope = nextTurn(await ports.turns.find(trunk), now)?.scope
  if (scope === undefined || !(await ports.wakes.claimAt(trunk, at, now))) return
  await sendAt(ports, {
    name: `wake-${trunk}`,
    at,
    queue: 'dispatch',
    message: { scope },
    group: scope,
  })
}

/** A trunk is shared between organizations, every other permit between the scopes of one. */
function partyAt(permit: string, { scope, organizationId }: Candidate): string {
  return isTrunkPermit(permit) ? organizationId : scope
}
