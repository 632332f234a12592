import { invalid, ok } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { assistantToWire } from '#shared/contract/assistant-to-wire.ts'
import { ASSISTANT_DEFAULTS } from '#shared/contract/assistant.ts'
import { plainHttpErrors } from '#shared/contract/plain-http-errors.ts'
import { restoreSecrets } from '#shared/contract/restore-secrets.ts'
import { camelKeys } from '#shared/contract/wire-case.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { createAssistant, type CreateAssistantPorts } from '#shared/use-cases/create-assistant.ts'

/** POST /assistants */
export const createAssistantOperation: Operation<
  CreateAssistantPorts & Pick<ServicePorts, 'limits'>,
  'createAssistant'
> = async (ports, { caller, body }) => {
  const insecure = ports.limits.allowPlainHttp === true ? [] : plainHttpErrors(body)
  if (insecure.length > 0) return invalid(insecure)
  const restored = restoreSecrets(body, null)
  if (restored.kind === 'invalid') return invalid(restored.errors)
  const { faq_items: faqItems, ...settings } = { ...ASSISTANT_DEFAULTS, ...body }
  const assistant = await createAssistant(ports, {
    organizationId: caller.organizationId,
    userId: caller.userId,
    settings: camelKeys(settings),
    faqItems,
  })
  return ok({ assistant: assistantToWire(assistant) })
}
