import type { Assistant, AssistantSettings } from '#shared/domain/assistant.ts'
import { missingVariables, requiredVariables } from '#shared/domain/required-variables.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { changeRecord } from './change-record.ts'
import { newFaqItems, type QuestionAndAnswer } from './create-assistant.ts'

/** What is absent stays. */
export interface AssistantPatch {
  readonly settings: Partial<Omit<AssistantSettings, 'faqItems'>>
  readonly faqItems?: readonly QuestionAndAnswer[] | undefined
}

/** Orders that an edit does not reach, and the variables that they lack (decisions 2). */
export interface UnpatchedCalls {
  readonly count: number
  readonly variables: readonly string[]
}

export type UpdateAssistantResult<Refusal> =
  | { readonly kind: 'updated'; readonly assistant: Assistant; readonly unpatched: UnpatchedCalls }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'not_found' }

type Ports = Pick<ServicePorts, 'assistants' | 'calls' | 'clock' | 'ids'>

/**
 * Edits an assistant (spec 4.1). It becomes a new version; each waiting order finds by itself the
 * newest one that it has all variables for (`findAssistantOf`), so an edit touches no order.
 * `patchOf` is asked again on the current assistant whenever somebody else was faster.
 */
export async function updateAssistant<Refusal>(
  ports: Ports,
  target: { readonly organizationId: string; readonly assistantId: string },
  patchOf: (
    current: Assistant,
  ) =>
    | { readonly kind: 'patch'; readonly patch: AssistantPatch }
    | { readonly kind: 'refused'; readonly refusal: Refusal },
): Promise<UpdateAssistantResult<Refusal>> {
  const { organizationId, assistantId: id } = target
  const result = await changeRecord<Assistant, Refusal>(
    ports.assistants,
    { organizationId, id },
    (current) => {
      const asked = patchOf(current)
      if (asked.kind === 'refused') return asked
      const { settings, faqItems } = asked.patch
      const record = {
        ...current,
        ...settings,
        ...(faqItems && { faqItems: newFaqItems(ports, faqItems), pendingFaqCount: 0 }),
        updatedAt: ports.clock.now(),
      }
      return { kind: 'changed', record }
    },
  )
  if (result.kind !== 'changed') return result
  const assistant = result.record
  return { kind: 'updated', assistant, unpatched: await unpatchedCalls(ports, assistant) }
}

/** Orders of the same kind fare alike, so it takes one look per kind, and a count of the excepted. */
async function unpatchedCalls(
  ports: Pick<ServicePorts, 'assistants' | 'calls'>,
  assistant: Assistant,
): Promise<UnpatchedCalls> {
  if (requiredVariables(assistant).length === 0) return { count: 0, variables: [] }
  const missing = new Set<string>()
  let count = 0
  for (const kind of await ports.calls.listKindsNotBegun(assistant.id)) {
    const plannedWith = await ports.assistants.findVersion(assistant.id, kind.version)
    if (plannedWith === null) throw new Error(`Assistant version missing: ${assistant.id}`)
    const lacking = missingVariables(assistant, { plannedWith, variables: kind.variables })
    if (lacking.length === 0) continue
    for (const name of lacking) missing.add(name)
    count += await ports.calls.countNotBegun(assistant.id, kind)
  }
  return count === 0 ? { count, variables: [] } : { count, variables: [...missing].sort() }
}
