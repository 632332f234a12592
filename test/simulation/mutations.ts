import type { Invariant } from './must.ts'

/** A bug as somebody might write it. What is guarded twice needs two edits. */
export interface Mutation {
  readonly name: string
  readonly edits: readonly Edit[]
  /** The rules that may be the first to notice. */
  readonly breaks: readonly Invariant[]
}

/** A text of the production code, however it is wrapped, and what stands there instead. */
export interface Edit {
  readonly file: string
  readonly find: string
  readonly plant: string
}

/**
 * Bugs that the simulation must find. The production code knows nothing of them: they are planted in
 * its text when it is loaded (`mutant.ts`), so a text that has changed makes its mutation fail.
 */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'skip the claim condition',
    edits: [
      {
        file: 'shared/domain/call-attempt/decide.ts',
        find: "if (isDialled) return 'already claimed' return {",
        plant: 'return {',
      },
    ],
    breaks: [2],
  },
  {
    name: 're-dial on a duplicate message',
    edits: [
      {
        file: 'shared/domain/call-attempt/decide.ts',
        find: "if (isDialled) return 'already claimed'\n",
        plant: "if (isDialled && attempt.dialOwner !== event.owner) return 'already claimed'\n",
      },
    ],
    breaks: [2],
  },
  {
    name: 're-dial when no answer came',
    edits: [
      {
        file: 'shared/use-cases/start-attempt.ts',
        find: 'if (!error.retryable) {',
        plant: 'if (dials >= DIALS_MAX) {',
      },
    ],
    breaks: [2],
  },
  {
    name: 'release a permit twice',
    edits: [
      {
        file: 'shared/data/memory-permits.ts',
        find: 'scopes.get(scope)?.delete(holder)',
        plant: `const leases = scopes.get(scope)
      if (leases?.delete(holder) === false) leases.delete([...leases.keys()][0] ?? '')`,
      },
    ],
    breaks: [2, 4],
  },
  {
    name: 'keep the permits of an ended attempt',
    edits: [
      {
        file: 'shared/use-cases/release-permits.ts',
        find: 'const { id: holder, organizationId, permits } = attempt',
        plant: 'const { id: holder, organizationId } = attempt, permits: HeldPermit[] = []',
      },
    ],
    breaks: [4],
  },
  {
    name: 'free capacity only with the conclusion',
    edits: [
      {
        file: 'shared/use-cases/sweep.ts',
        find: "if (effect.kind !== 'concludeAttempt') return\n",
        plant:
          "if (effect.kind.length > 0) return\n  if (effect.kind !== 'concludeAttempt') return\n",
      },
    ],
    breaks: [4],
  },
  {
    name: 'ignore the window after a delay',
    edits: [
      {
        file: 'shared/use-cases/start-attempt.ts',
        find: "if (mayDial(order, attempt.number, ports.clock.now()).kind === 'closed') return true",
        plant: '',
      },
      {
        file: 'shared/use-cases/start-attempt.ts',
        find: "return mayDial(order, attempt.number, now).kind === 'closed' ? 'window_closed' : null",
        plant: 'return null',
      },
    ],
    breaks: [1],
  },
  {
    name: 'one of several zones is enough',
    edits: [
      {
        file: 'shared/domain/retry/calling-windows.ts',
        find: 'return zones.every((zone) =>',
        plant: 'return zones.some((zone) =>',
      },
      {
        file: 'shared/domain/retry/calling-windows.ts',
        find: 'agreeing < zones.length',
        plant: 'agreeing < 1',
      },
    ],
    breaks: [1],
  },
  {
    name: 'no window for a retry',
    edits: [
      {
        file: 'shared/domain/call-order/may-dial.ts',
        find: 'if (order.forceNow && attemptNumber === 1)',
        plant: 'if (order.forceNow || attemptNumber > 1)',
      },
      {
        file: 'shared/domain/retry/plan-next-attempt.ts',
        find: 'dueAt: openingFrom(config, zones, Math.max(earliest, now))',
        plant: 'dueAt: Math.max(earliest, now)',
      },
    ],
    breaks: [1],
  },
  {
    name: 'retry at once',
    edits: [
      {
        file: 'shared/domain/retry/plan-next-attempt.ts',
        find: '(isImmediate ? 0 : retryDelayMs(config, zones, last.startedAt))',
        plant: '(isImmediate ? 0 : Math.min(0, retryDelayMs(config, zones, last.startedAt)))',
      },
    ],
    breaks: [14],
  },
  {
    name: 'one attempt too many',
    edits: [
      {
        file: 'shared/domain/retry/plan-next-attempt.ts',
        find: 'return attemptsMade + 1 > config.maxRetryAttempts',
        plant: 'return attemptsMade > config.maxRetryAttempts',
      },
    ],
    breaks: [3, 6],
  },
  {
    name: 'forget the wake',
    edits: [
      {
        file: 'shared/domain/call-order/decide.ts',
        find: 'effects: [wake(order, dueAt)],\n  }\n}',
        plant: 'effects: [],\n  }\n}',
      },
    ],
    breaks: [15],
  },
  {
    name: 'a retry without a due time',
    edits: [
      {
        file: 'shared/domain/call-order/decide.ts',
        find: 'PAUSED : waiting(order, next.dueAt, now)\n  return { patch: { ...patch, outcome',
        plant:
          'PAUSED : waiting(order, next.dueAt, now)\n  return { patch: { ...patch, dueAt: null, outcome',
      },
    ],
    breaks: [6],
  },
  {
    name: 'a campaign that nobody looks after',
    edits: [
      {
        file: 'shared/data/memory-campaign-store.ts',
        find: 'if (hasNewWork({ before, after })) ',
        plant: 'if (hasNewWork({ before, after }) && before !== null) ',
      },
    ],
    breaks: [6],
  },
  {
    name: 'no lease expiry',
    edits: [
      {
        file: 'shared/use-cases/sweep.ts',
        find: 'listExpiredLeases(now, RECORDS_PER_SWEEP)',
        plant: 'listExpiredLeases(0, RECORDS_PER_SWEEP)',
      },
    ],
    breaks: [4, 6, 7, 13],
  },
  {
    name: 'a lease for ever',
    edits: [
      {
        file: 'shared/use-cases/start-attempt.ts',
        find: 'leaseUntil: ports.clock.now() + leaseMs',
        plant: 'leaseUntil: ports.clock.now() + leaseMs * 100',
      },
    ],
    breaks: [7],
  },
  {
    name: 'the reaper does not hang up',
    edits: [
      {
        file: 'shared/use-cases/expire-lease.ts',
        find: 'if (found?.isLive === true) await',
        plant: 'if (found?.isLive === undefined) await',
      },
    ],
    breaks: [2, 4, 13],
  },
  {
    name: 'dial what was given up',
    edits: [
      {
        file: 'shared/use-cases/start-attempt.ts',
        find: "if (now > (attempt.dialStartedAt ?? now) + DIAL_WITHIN_MS) return 'too_late'\n",
        plant: '',
      },
    ],
    breaks: [2, 13],
  },
  {
    name: 'a cancel does not withdraw',
    edits: [
      {
        file: 'shared/use-cases/change-order.ts',
        find: "event.type === 'cancel' && isUndialled",
        plant: "event.type === 'pause' && isUndialled",
      },
    ],
    breaks: [5],
  },
  {
    name: 'a stopped campaign goes on with what it admitted',
    edits: [
      {
        file: 'shared/use-cases/start-attempt.ts',
        find: "return campaign !== null && (await campaignGate(ports, campaign.campaignId)).kind !== 'open'",
        plant: 'return false',
      },
    ],
    breaks: [5],
  },
  {
    name: 'a final order reacts to due',
    edits: [
      {
        file: 'shared/domain/call-order/decide.ts',
        find: "case 'due': case 'blocked': case 'unblocked': case 'pause':",
        plant: `case 'due':
        return { patch: { status: 'queued_for_calling', dueAt: order.updatedAt }, effects: [] }
      case 'blocked':
      case 'unblocked':
      case 'pause':`,
      },
    ],
    breaks: [8],
  },
  {
    name: 'send the webhook before the save',
    edits: [
      {
        file: 'shared/use-cases/commit-call.ts',
        find: 'const [result, ...claims] = await Promise.all([',
        plant: `for (const stored of effects) await performEffect(ports, stored)
    const [result, ...claims] = await Promise.all([`,
      },
    ],
    breaks: [9],
  },
  {
    name: 'a new webhook id for every announcement',
    edits: [
      {
        file: 'shared/use-cases/announce-call.ts',
        find: 'const id = deliveryId(input.event, order.id, endpointId)',
        plant: 'const id = `${deliveryId(input.event, order.id, endpointId)}_${ports.clock.now()}`',
      },
    ],
    breaks: [9],
  },
  {
    name: 'count a retry as pending',
    edits: [
      {
        file: 'shared/domain/campaign/row-stats.ts',
        find: "return row.attemptsMade > 0 ? 'retry' : 'pending'",
        plant: "return row.attemptsMade < 0 ? 'retry' : 'pending'",
      },
    ],
    breaks: [10],
  },
  {
    name: 'import a row twice',
    edits: [
      {
        file: 'shared/data/memory-campaign-orders.ts',
        find: 'orders.has(id) || closed.has',
        plant: 'closed.has',
      },
    ],
    breaks: [6, 8, 10],
  },
  {
    name: 'change what belongs to others',
    edits: [
      {
        file: 'shared/use-cases/change-order.ts',
        find: 'if (call === null || call.order.organizationId !== target.organizationId) {',
        plant: 'if (call === null) {',
      },
    ],
    breaks: [11],
  },
  {
    name: 'ignore the do-not-call list',
    edits: [
      {
        file: 'shared/use-cases/start-attempt.ts',
        find: "if (await ports.suppressions.has(order.organizationId, order.toPhoneNumber)) return 'suppressed'\n",
        plant: '',
      },
    ],
    breaks: [12],
  },
  {
    name: 'forget who waits for a permit',
    edits: [
      {
        file: 'shared/use-cases/release-permits.ts',
        find: 'if (ids.length === 0) return',
        plant: 'if (ids.length >= 0) return',
      },
    ],
    breaks: [6, 15],
  },
  {
    name: 'retry in a stopped campaign',
    edits: [
      {
        file: 'shared/use-cases/conclude-attempt.ts',
        find: 'const next = await heldBack(ports, decideOrder(call.order, event, now), now)',
        plant: 'const next = decideOrder(call.order, event, now)',
      },
    ],
    breaks: [5, 6],
  },
  {
    name: 'overlook what becomes due during the look',
    edits: [
      {
        file: 'shared/use-cases/dispatch-scope.ts',
        find: 'nextDueAt > lookedAt',
        plant: 'nextDueAt > ports.clock.now()',
      },
    ],
    breaks: [15],
  },
]
