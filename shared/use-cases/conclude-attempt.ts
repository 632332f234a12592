import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { decideAttempt } from '#shared/domain/call-attempt/decide.ts'
import { decideOrder, type OrderDecision } from '#shared/domain/call-order/decide.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { holdBack } from '#shared/domain/campaign/follow-campaign.ts'
import { buildConclusionRequest } from '#shared/domain/conclusion/build-conclusion-request.ts'
import { readConclusion, type Conclusion } from '#shared/domain/conclusion/read-conclusion.ts'
import { DEFAULT_LLM_MODEL } from '#shared/domain/llm-model.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { commitCall, concludeEffectId, type CommitPorts } from './commit-call.ts'
import { findAssistantOf } from './find-assistant-of.ts'
import { freeCapacityOf, type PermitPorts } from './release-permits.ts'
import { settleCampaign } from './settle-campaign.ts'

const CONFLICTS_MAX = 8

/** How long the language model may take to read a transcript. */
const CONCLUSION_TIMEOUT_MS = 120_000

const NOTHING_TO_CONCLUDE: Conclusion = {
  outcome: null,
  outcomeSummary: null,
  structuredOutput: null,
  problems: [],
}

type ConcludePorts = PermitPorts & Pick<ServicePorts, 'assistants' | 'languageModel'>

interface Ended {
  readonly orderId: string
  readonly number: number
}

/**
 * After an attempt: gives its capacity back, has the language model read what was said, and lets the
 * order go on to its next attempt or its end. Repeating it is harmless. When the model fails, the
 * error is thrown for the queue to try again, except on the last chance: then the order is concluded
 * without outcome, because an order that never ends is worse than one without a summary. An order on
 * which our own code fails to the last is `errored` for the same reason (decisions 3), and the error
 * still thrown: its message becomes a dead letter that a person looks at.
 */
export async function concludeAttempt(
  ports: ConcludePorts,
  input: Ended & { readonly isLastChance: boolean },
): Promise<void> {
  try {
    await concludeOnce(ports, input)
  } catch (error) {
    // What a vendor or the table could not do now can be done later: the sweep asks for it again.
    if (input.isLastChance && !(error instanceof AdapterError)) await giveUp(ports, input)
    throw error
  }
}

async function concludeOnce(
  ports: ConcludePorts,
  input: Ended & { readonly isLastChance: boolean },
): Promise<void> {
  const call = await ports.calls.findCall(input.orderId)
  const attempt = call?.attempts.find(({ number }) => number === input.number)
  if (call === null || attempt === undefined || attempt.endedAt === null) return
  await freeCapacityOf(ports, attempt)
  let { order }: { order: CallOrder } = call
  if (attempt.concludedAt === null) {
    const conclusion = await conclude(ports, call.order, attempt, input.isLastChance)
    order = (await store(ports, input, conclusion)) ?? order
  }
  if (order.campaign !== null && FINAL_STATUSES.has(order.status)) {
    await settleCampaign(ports, order.campaign.campaignId)
  }
  await markConcluded(ports, input, attempt.endedAt)
}

async function giveUp(ports: ConcludePorts, target: Ended): Promise<void> {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const order = await ports.calls.findOrder(target.orderId)
    const now = ports.clock.now()
    const decision = order === null ? null : decideOrder(order, { type: 'fault' }, now)
    const isGivenUp =
      order === null ||
      decision?.kind !== 'changed' ||
      (await commitCall(ports, {
        orderId: target.orderId,
        order: { before: order, after: decision.order },
        effects: decision.effects,
      }))
    if (isGivenUp) return markConcluded(ports, target, now)
  }
}

function markConcluded(ports: CommitPorts, { orderId, number }: Ended, at: number): Promise<void> {
  return ports.calls.markDone({
    id: concludeEffectId(number),
    orderId,
    effect: { kind: 'concludeAttempt', orderId, number },
    createdAt: at,
  })
}

async function conclude(
  ports: Pick<ServicePorts, 'assistants' | 'languageModel' | 'logger'>,
  order: CallOrder,
  attempt: CallAttempt,
  isLastChance: boolean,
): Promise<Conclusion> {
  const settings = await findAssistantOf(ports, order)
  const request = buildConclusionRequest({ settings, order, attempt })
  if (request === null) return NOTHING_TO_CONCLUDE
  const model = settings.llmModel.type === 'realtime' ? DEFAULT_LLM_MODEL : settings.llmModel
  try {
    let text = ''
    const signal = AbortSignal.timeout(CONCLUSION_TIMEOUT_MS)
    const answer = ports.languageModel.stream({ model, tools: [], ...request }, signal)
    for await (const delta of answer) if (delta.type === 'text') text += delta.text
    const conclusion = readConclusion(text, settings.structuredOutputConfig)
    if (conclusion.problems.length > 0) {
      ports.logger.warn('A conclusion had to be corrected', { problems: conclusion.problems })
    }
    return conclusion
  } catch (error) {
    if (!isLastChance) throw error
    ports.logger.error('A call is concluded without outcome', { orderId: order.id, error })
    return NOTHING_TO_CONCLUDE
  }
}

/** The order as it is then; null when there was nothing to store. */
async function store(
  ports: CommitPorts,
  target: { readonly orderId: string; readonly number: number },
  conclusion: Conclusion,
): Promise<CallOrder | null> {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const call = await ports.calls.findCall(target.orderId)
    const attempt = call?.attempts.find(({ number }) => number === target.number)
    if (call === null || attempt === undefined) return null
    const now = ports.clock.now()
    const { structuredOutput, outcome, outcomeSummary } = conclusion
    const concluded = decideAttempt(attempt, { type: 'concluded', structuredOutput }, now)
    if (concluded.kind === 'ignored') return null
    const event = { type: 'attemptConcluded', outcome, outcomeSummary } as const
    const next = await heldBack(ports, decideOrder(call.order, event, now), now)
    const saved = await commitCall(ports, {
      orderId: target.orderId,
      attempt: { before: attempt, after: concluded.attempt },
      order: next.kind === 'ignored' ? undefined : { before: call.order, after: next.order },
      effects: next.kind === 'ignored' ? [] : next.effects,
    })
    if (saved) return next.kind === 'ignored' ? call.order : next.order
  }
  throw new AdapterError('A call was changed by others too often to be concluded', {
    retryable: true,
  })
}

/** No retry follows in a campaign that was paused or cancelled meanwhile. */
async function heldBack(
  ports: Pick<ServicePorts, 'campaigns'>,
  next: OrderDecision,
  now: number,
): Promise<OrderDecision> {
  if (next.kind === 'ignored' || next.order.campaign === null) return next
  const campaign = await ports.campaigns.find(next.order.campaign.campaignId)
  const held = holdBack(next.order, campaign, now)
  return held.kind === 'ignored'
    ? next
    : { ...held, order: { ...held.order, version: next.order.version } }
}
