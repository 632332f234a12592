import type { Assistant, AssistantSettings } from '#shared/domain/assistant.ts'
import { newCallOrder } from '#shared/domain/call-order/decide.ts'
import type { CallOrder, ConcurrencyCap } from '#shared/domain/call-order/order.ts'
import { keyPermit } from '#shared/domain/permit-scope.ts'
import { recipientTimeZones } from '#shared/domain/recipient-time-zones.ts'
import { DEFAULT_CALL_RETRY_CONFIG } from '#shared/domain/retry/call-retry-config.ts'
import { organizationScope } from '#shared/domain/scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { commitCall } from './commit-call.ts'
import { defaultFromPhoneNumber } from './default-from-phone-number.ts'

export interface PlaceCallInput {
  readonly organizationId: string
  readonly isTest: boolean
  /** E.164, checked by the caller. */
  readonly toPhoneNumber: string
  readonly fromPhoneNumber: string | null
  readonly assistant:
    | { readonly kind: 'stored'; readonly assistantId: string }
    | { readonly kind: 'inline'; readonly settings: AssistantSettings }
  readonly concurrency: ConcurrencyCap | null
  readonly forceNow: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly promptVariables: Readonly<Record<string, string>>
  /** Epoch ms. */
  readonly scheduledAt: number | null
}

export type PlaceCallResult =
  | {
      readonly kind: 'placed'
      readonly order: CallOrder
      readonly assistant: AssistantSettings | Assistant
    }
  | { readonly kind: 'refused'; readonly reason: 'assistant_not_found' }

/** Accepts one call order (spec 4.4, POST /call). */
export async function placeCall(
  ports: Pick<
    ServicePorts,
    | 'assistants'
    | 'organizations'
    | 'phoneNumbers'
    | 'calls'
    | 'permits'
    | 'wakes'
    | 'queues'
    | 'scheduler'
    | 'clock'
    | 'ids'
    | 'logger'
  >,
  input: PlaceCallInput,
): Promise<PlaceCallResult> {
  const { concurrency, organizationId } = input
  const [assistant, standardNumber] = await Promise.all([
    input.assistant.kind === 'stored'
      ? ports.assistants.find(input.organizationId, input.assistant.assistantId)
      : input.assistant.settings,
    defaultFromPhoneNumber(ports, organizationId),
  ])
  if (assistant === null) return { kind: 'refused', reason: 'assistant_not_found' }
  const retryConfig = assistant.callRetryConfig ?? DEFAULT_CALL_RETRY_CONFIG
  const recipient = recipientTimeZones({
    configured: retryConfig.timezone ?? null,
    contactVariable: input.promptVariables['timezone'] ?? null,
    e164: input.toPhoneNumber,
  })
  const { order, effects } = newCallOrder(
    {
      id: ports.ids.next('call'),
      organizationId: input.organizationId,
      direction: 'outbound',
      toPhoneNumber: input.toPhoneNumber,
      fromPhoneNumber: input.fromPhoneNumber ?? assistant.fromPhoneNumber ?? standardNumber,
      assistant:
        'version' in assistant
          ? { kind: 'stored', assistantId: assistant.id, version: assistant.version }
          : { kind: 'inline', settings: assistant },
      scope: organizationScope(input.organizationId),
      campaign: null,
      concurrency: input.concurrency,
      retryConfig,
      timeZones: recipient.zones,
      warnings: recipient.warning === null ? [] : [recipient.warning],
      forceNow: input.forceNow,
      scheduledAt: input.scheduledAt,
      promptVariables: input.promptVariables,
      metadata: input.metadata,
      isTest: input.isTest,
    },
    ports.clock.now(),
  )
  const [isNew] = await Promise.all([
    commitCall(ports, { orderId: order.id, order: { before: null, after: order }, effects }),
    // Decisions 2: of different limits for one key the latest counts.
    concurrency &&
      ports.permits.setCap(keyPermit(organizationId, concurrency.key), concurrency.max),
  ])
  // A request that is worked on again after a crash has the ids it had: its order may be there.
  const stored = isNew ? order : await ports.calls.findOrder(order.id)
  return { kind: 'placed', order: stored ?? order, assistant }
}
