import type { Assistant, AssistantSettings } from '#shared/domain/assistant.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { missingVariables } from '#shared/domain/required-variables.ts'
import type { AssistantStore } from '#shared/ports/assistant-store.ts'

interface Ports {
  readonly assistants: Pick<AssistantStore, 'find' | 'findVersion'>
}

/**
 * The settings an order is conducted with: its own, or those of its assistant. Until its first
 * attempt begins they are the newest version that it has all variables for (decisions 2,
 * `unpatchedCallsNotice`); from then on the version that the first attempt began with. What was
 * planned with the assistant is the order's own and stays: retry configuration and caller id.
 */
export async function findAssistantOf(
  ports: Ports,
  order: CallOrder,
): Promise<AssistantSettings | Assistant> {
  if (order.assistant.kind === 'inline') return order.assistant.settings
  const { assistantId, version } = order.assistant
  const hasBegun = order.attemptsMade > 0 || FINAL_STATUSES.has(order.status)
  const newest = hasBegun ? null : await ports.assistants.find(order.organizationId, assistantId)
  if (newest?.version === version) return newest
  const planned = await findVersion(ports, assistantId, version)
  return newest === null ? planned : newestSuitable(ports, { order, planned, newest })
}

/** The same as a reference, for the order to keep. */
export async function assistantReferenceOf(
  ports: Ports,
  order: CallOrder,
): Promise<CallOrder['assistant']> {
  if (order.assistant.kind === 'inline' || order.attemptsMade > 0) return order.assistant
  const found = await findAssistantOf(ports, order)
  return 'version' in found ? { ...order.assistant, version: found.version } : order.assistant
}

async function newestSuitable(
  ports: Ports,
  options: {
    readonly order: CallOrder
    readonly planned: Assistant
    readonly newest: Assistant
  },
): Promise<Assistant> {
  const { planned, newest } = options
  const known = { plannedWith: planned, variables: Object.keys(options.order.promptVariables) }
  let candidate = newest
  while (candidate.version > planned.version && missingVariables(candidate, known).length > 0) {
    candidate = await findVersion(ports, planned.id, candidate.version - 1)
  }
  return candidate
}

async function findVersion(ports: Ports, id: string, version: number): Promise<Assistant> {
  const assistant = await ports.assistants.findVersion(id, version)
  if (assistant === null) throw new Error(`Assistant version missing: ${id} ${version}`)
  return assistant
}
