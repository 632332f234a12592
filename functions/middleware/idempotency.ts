import { createHash } from 'node:crypto'

import {
  decideClaim,
  type IdempotencyRecord,
  type IdempotentRequest,
  settle,
  type Settlement,
} from '#shared/domain/idempotency.ts'
import { ulid, ULID_CHANCE_DIGITS } from '#shared/domain/ulid.ts'
import type { Ids } from '#shared/ports/ids.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { type Answer, ok, refused, withHeaders } from './answer.ts'

export type IdempotencyPorts = Pick<ServicePorts, 'idempotency' | 'clock' | 'ids' | 'logger'>

/** Somebody else works on the same request; they will hardly need longer. */
const RETRY_AFTER_SECS = '1'

/**
 * The layer that does the work of a request once, however often it is sent with the same key
 * (decisions 1). What it guarantees:
 *
 * - Of equal requests at the same time one does the work; the others are told to ask again.
 * - Once answered with success, the same answer is given for 24 h; a refusal frees the key.
 * - When a process dies in between, the next request with the key does the work again, under the
 *   ids that the first one had. A record exists under one id at most once, so nothing is created
 *   twice. An action such as a pause may then find that it was done, and say so with a 409.
 */
export async function once<Ports extends IdempotencyPorts>(
  ports: Ports,
  request: IdempotentRequest,
  work: (ports: Ports) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const claim = await claimRequest(ports, request)
  if (claim.kind === 'answered')
    return withHeaders(ok(claim.body), { 'idempotent-replayed': 'true' })
  if (claim.kind !== 'claim') return refusals[claim.kind]
  const { record, isRepeat } = claim
  try {
    const answer = await work(withIds(ports, idsOf(record, ports.ids)))
    await keep(ports, record, settlementOf(answer, isRepeat))
    return answer
  } catch (error) {
    await keep(ports, record, { kind: 'interrupted' })
    throw error
  }
}

/** What makes two requests the same one. `asked` is everything that the key must not be reused with. */
export function idempotentRequest(request: {
  readonly organizationId: string
  readonly operation: string
  readonly key: string
  readonly asked: unknown
  readonly isSecret: boolean
}): IdempotentRequest {
  const { organizationId, operation, key, asked, isSecret } = request
  return { id: sha256([organizationId, operation, key]), fingerprint: sha256(asked), isSecret }
}

const refusals = {
  reused: refused(
    'idempotency_key_reused',
    'This Idempotency-Key was sent with another request; a new request needs a new key',
  ),
  inFlight: refused(
    'request_in_flight',
    'A request with this Idempotency-Key is being worked on; ask again for its answer',
    { headers: { 'retry-after': RETRY_AFTER_SECS } },
  ),
}

type Claim = ReturnType<typeof decideClaim>

/** The first look is a claim: nearly every key is new. Whoever loses a claim sees who won. */
async function claimRequest(ports: IdempotencyPorts, request: IdempotentRequest): Promise<Claim> {
  let known: IdempotencyRecord | null = null
  for (;;) {
    const claim = decideClaim(known, request, ports.clock.now())
    if (claim.kind !== 'claim') return claim
    const saved = await ports.idempotency.save({ before: known, after: claim.record })
    if (saved.kind === 'saved') return claim
    known = await ports.idempotency.find(request.id)
  }
}

/** A refusal did nothing, unless it only says that an earlier run had done it. */
function settlementOf(answer: Answer<unknown>, isRepeat: boolean): Settlement {
  if (answer.kind === 'ok') return { kind: 'answered', body: answer.body }
  return { kind: isRepeat ? 'interrupted' : 'nothingDone' }
}

/** The work is done and answered even if nobody remembers the answer: asked again, it finds itself. */
async function keep(
  ports: IdempotencyPorts,
  record: IdempotencyRecord,
  settlement: Settlement,
): Promise<void> {
  try {
    await ports.idempotency.save({
      before: record,
      after: settle(record, settlement, ports.clock.now()),
    })
  } catch (error) {
    ports.logger.warn('The outcome of an idempotent request is not kept', { error })
  }
}

/** The ports may be built when they are first used, so they are not copied. */
function withIds<Ports extends object>(ports: Ports, ids: Ids): Ports {
  return Object.create(ports, { ids: { value: ids } }) as Ports
}

/** The same ids, in the order in which they are asked for, each time a request is worked on. */
function idsOf({ id, startedAt }: IdempotencyRecord, ids: Ids): Ids {
  const handedOut = new Map<string, number>()
  return {
    random: () => ids.random(),
    next: (prefix) => {
      const count = handedOut.get(prefix) ?? 0
      handedOut.set(prefix, count + 1)
      const hash = createHash('sha256').update(`${id}#${startedAt}#${prefix}#${count}`).digest()
      const chance = [...hash.subarray(0, ULID_CHANCE_DIGITS)].map((byte) => byte % 32)
      return `${prefix}_${ulid(startedAt, chance)}`
    },
  }
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
