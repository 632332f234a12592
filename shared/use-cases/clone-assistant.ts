import type { Assistant } from '#shared/domain/assistant.ts'

import { createAssistant, type CreateAssistantPorts } from './create-assistant.ts'

/** Copies an assistant with its secrets; null when there is none (spec 4.1). */
export async function cloneAssistant(
  ports: CreateAssistantPorts,
  input: {
    readonly organizationId: string
    readonly userId: string
    readonly assistantId: string
  },
): Promise<Assistant | null> {
  const { organizationId, userId, assistantId } = input
  const original = await ports.assistants.find(organizationId, assistantId)
  if (original === null) return null
  const { faqItems, ...settings } = original
  return createAssistant(ports, {
    organizationId,
    userId,
    settings: { ...settings, name: `${original.name} (copy)` },
    // Questions that wait for an answer wait once.
    faqItems: faqItems.filter(({ needsHumanAnswer }) => !needsHumanAnswer),
  })
}
