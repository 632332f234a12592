import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import { HEARTBEAT_MS, SESSION_LEASE_MS } from '#shared/domain/lease.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import { adoptAttempt } from '#shared/use-cases/adopt-attempt.ts'
import { announceCall } from '#shared/use-cases/announce-call.ts'
import { applyCarrierEvent } from '#shared/use-cases/apply-carrier-event.ts'
import { cancelCampaign } from '#shared/use-cases/change-campaign.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { finishSession } from '#shared/use-cases/finish-session.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { suppressNumber } from '#shared/use-cases/suppress-number.ts'
import { ALWAYS } from '#test/support/an-order.ts'
import type { LocalDynamoDb } from '#test/support/dynamodb.ts'

import { dynamoStage } from './dynamo-stage.ts'

/** So many orders share what their campaign costs by itself. */
const ROWS = 10
const TALK_MS = 90_000
const TRANSCRIPT_LINES = 12

const LINES: readonly (readonly [TranscriptEntry['role'], string])[] = [
  ['assistant', 'Good morning, this is Ava from Northwind Dental. Have you got a minute?'],
  ['user', 'Yes, sure. What is it about?'],
]

type Ending = 'reached' | 'no answer'
interface Call {
  readonly orderId: string
  readonly number: number
}
type Stage = Awaited<ReturnType<typeof dynamoStage>>

/** What becomes of an order: the ends of its attempts, or why it has none. */
const FATES: Readonly<Record<string, readonly Ending[] | 'cancelled' | 'suppressed'>> = {
  reached: ['reached'],
  'no answer': ['no answer'],
  'no answer, then reached': ['no answer', 'reached'],
  'no answer three times': ['no answer', 'no answer', 'no answer'],
  cancelled: 'cancelled',
  suppressed: 'suppressed',
}

/**
 * In units per order, as DynamoDB Local counts them: transactions that create many items, an import
 * above all, are dearer on AWS.
 */
export interface FateCosts {
  readonly import: number
  /** After the import, by fate. */
  readonly life: Readonly<Record<string, { readonly write: number; readonly read: number }>>
}

/** What orders of a campaign cost from their contact to their end. */
export async function fateCosts(database: LocalDynamoDb): Promise<FateCosts> {
  const life: Record<string, { write: number; read: number }> = {}
  let imported = 0
  for (const [name, fate] of Object.entries(FATES)) {
    const stage = await dynamoStage(database)
    const { id } = await stage.stage.create(ROWS, {
      callRetryConfig: { ...ALWAYS, maxRetryAttempts: Array.isArray(fate) ? fate.length : 3 },
    })
    stage.meter.reset()
    await stage.stage.work(id)
    imported = stage.meter.cost().writeUnits
    if (fate === 'suppressed') await suppressAll(stage, id)
    stage.meter.reset()
    if (fate === 'cancelled') {
      await cancelCampaign(stage.ports, { organizationId: 'org_1', campaignId: id })
      await stage.stage.work(id)
    } else await new Life(stage, id, fate === 'suppressed' ? [] : fate).run()
    const { writeUnits, readUnits } = stage.meter.cost()
    life[name] = { write: perOrder(writeUnits), read: perOrder(readUnits) }
  }
  return { import: perOrder(imported), life }
}

async function suppressAll({ ports, stage }: Stage, campaignId: string): Promise<void> {
  for (const { organizationId, toPhoneNumber } of await stage.orders(campaignId, ROWS)) {
    await suppressNumber(ports, { organizationId, phoneNumber: toPhoneNumber, reason: null })
  }
}

function perOrder(units: number): number {
  return Math.round((units / ROWS) * 10) / 10
}

/**
 * A campaign from its first dispatch to its end; every message is worked on once. Time passes between
 * attempts only.
 */
class Life {
  readonly #stage: Stage
  readonly #campaignId: string
  readonly #endings: readonly Ending[]

  constructor(stage: Stage, campaignId: string, endings: readonly Ending[]) {
    this.#stage = stage
    this.#campaignId = campaignId
    this.#endings = endings
  }

  async run(): Promise<void> {
    const { ports, world } = this.#stage
    const scope = campaignScope(this.#campaignId)
    for (;;) {
      await dispatchScope(ports, scope)
      for (let sent = world.sent.shift(); sent !== undefined; sent = world.sent.shift()) {
        await this.#receive(sent.queue, sent.message)
      }
      const dueAt = await ports.calls.nextDueAt(scope)
      if (dueAt === null) return
      world.now = Math.max(world.now, dueAt)
    }
  }

  async #receive(queue: QueueName, message: unknown): Promise<void> {
    const { ports } = this.#stage
    const call = message as Call
    if (queue === 'dispatch') await dispatchScope(ports, campaignScope(this.#campaignId))
    if (queue === 'call-start') await this.#dial(call)
    if (queue === 'post-call') await concludeAttempt(ports, { ...call, isLastChance: true })
    if (queue === 'notify') {
      const announced = { orderId: call.orderId, event: 'call.completed' } as const
      await announceCall(ports, announced, () => '{}')
    }
  }

  async #dial(call: Call): Promise<void> {
    const { ports, world } = this.#stage
    await startAttempt(ports, { ...call, owner: 'runtime', mediaUrl: 'wss://media' })
    const attempt = await ports.calls.findAttempt(call.orderId, call.number)
    if (attempt?.carrierCallId == null) throw new Error('The attempt was not dialled')
    const { id: attemptId, carrierCallId } = attempt
    const report = (event: CarrierEvent['event']) =>
      applyCarrierEvent(ports, { ...call, attemptId, carrierCallId, at: world.now, event })
    await report({ type: 'ringing' })
    const isReached = this.#endings[call.number - 1] === 'reached'
    if (isReached) {
      await report({ type: 'answered' })
      await this.#talk(call)
    }
    const sipCode = isReached ? 200 : 408
    const endedBy = isReached ? 'callee' : 'carrier'
    await report({ type: 'ended', cause: { sipCode, reason: null, q850: null, endedBy } })
  }

  async #talk(call: Call): Promise<void> {
    const { ports, world } = this.#stage
    const adoption = await adoptAttempt(ports, call)
    if (adoption.kind === 'refused') throw new Error(adoption.reason)
    const { fence } = adoption
    const transcript = Array.from({ length: TRANSCRIPT_LINES }, (_, index) => lineAt(index))
    for (const [index, line] of transcript.entries()) {
      await ports.calls.appendTranscript(call.orderId, call.number, index, line)
    }
    for (let talkedMs = 0; talkedMs < TALK_MS; talkedMs += HEARTBEAT_MS) {
      const until = world.now + SESSION_LEASE_MS
      await ports.calls.extendLease(call.orderId, call.number, fence, until)
    }
    await finishSession(ports, {
      ...call,
      fence,
      at: world.now,
      result: 'human',
      endedBy: 'user',
      endReason: null,
      transcript,
      speechEvents: [],
      recordingKey: 'recording',
    })
  }
}

function lineAt(index: number): TranscriptEntry {
  const [role, content] = LINES[index % LINES.length] ?? ['user', '']
  return { role, content }
}
