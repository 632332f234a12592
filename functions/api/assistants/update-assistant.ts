import { invalid, ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { assistantToWire } from '#shared/contract/assistant-to-wire.ts'
import { plainHttpErrors } from '#shared/contract/plain-http-errors.ts'
import type { FieldError } from '#shared/contract/problem.ts'
import { restoreSecrets } from '#shared/contract/restore-secrets.ts'
import { camelKeys } from '#shared/contract/wire-case.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { updateAssistant } from '#shared/use-cases/update-assistant.ts'

/** PATCH /assistants/{id} */
export const updateAssistantOperation: Operation<
  Pick<ServicePorts, 'assistants' | 'calls' | 'clock' | 'ids' | 'limits'>,
  'updateAssistant'
> = async (ports, { caller, params, body }) => {
  const insecure = ports.limits.allowPlainHttp === true ? [] : plainHttpErrors(body)
  if (insecure.length > 0) return invalid(insecure)
  const target = { organizationId: caller.organizationId, assistantId: params.id }
  const result = await updateAssistant<readonly FieldError[]>(ports, target, (current) => {
    const restored = restoreSecrets(body, current)
    if (restored.kind === 'invalid') return { kind: 'refused', refusal: restored.errors }
    const { faq_items: faqItems, ...settings } = restored.body
    return { kind: 'patch', patch: { settings: camelKeys(settings), faqItems } }
  })
  switch (result.kind) {
    case 'not_found':
      return refused('not_found', 'There is no assistant with this id')
    case 'refused':
      return invalid(result.refusal)
    case 'updated': {
      const { count, variables } = result.unpatched
      return ok({
        assistant: assistantToWire(result.assistant),
        ...(count > 0 && { unpatchedCallsNotice: { count, variables: [...variables] } }),
      })
    }
  }
}
