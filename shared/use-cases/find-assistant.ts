import type { Assistant } from '#shared/domain/assistant.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/** One assistant of an organization; null also for another organization's id. */
export async function findAssistant(
  ports: Pick<ServicePorts, 'assistants'>,
  input: { readonly organizationId: string; readonly assistantId: string },
): Promise<Assistant | null> {
  return ports.assistants.find(input.organizationId, input.assistantId)
}
