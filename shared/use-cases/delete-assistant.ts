import type { Assistant } from '#shared/domain/assistant.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { changeRecord } from './change-record.ts'

export type DeleteAssistantResult = 'deleted' | 'not_found' | 'in_use'

/**
 * Hides an assistant that no order needs any more (decisions 2). An order that is placed at the very
 * moment keeps its version and is conducted with it.
 */
export async function deleteAssistant(
  ports: Pick<ServicePorts, 'assistants' | 'calls' | 'clock'>,
  target: { readonly organizationId: string; readonly assistantId: string },
): Promise<DeleteAssistantResult> {
  const { organizationId, assistantId: id } = target
  if ((await ports.assistants.find(organizationId, id)) === null) return 'not_found'
  if (await ports.calls.isAssistantInUse(id)) return 'in_use'
  const result = await changeRecord<Assistant>(
    ports.assistants,
    { organizationId, id },
    (current) => ({ kind: 'changed', record: { ...current, deletedAt: ports.clock.now() } }),
  )
  return result.kind === 'changed' ? 'deleted' : 'not_found'
}
