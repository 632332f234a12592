import { invalid, ok } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { callToWire } from '#shared/contract/call-to-wire.ts'
import { type CreateCallBody, inlineSettings } from '#shared/contract/call.ts'
import { plainHttpErrors } from '#shared/contract/plain-http-errors.ts'
import type { FieldError } from '#shared/contract/problem.ts'
import { parseIso } from '#shared/domain/time.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { newFaqItems } from '#shared/use-cases/create-assistant.ts'
import { placeCall, type PlaceCallInput } from '#shared/use-cases/place-call.ts'

type Ports = Parameters<typeof placeCall>[0] & Pick<ServicePorts, 'clock' | 'limits' | 'ids'>

/** POST /call */
export const createCallOperation: Operation<Ports, 'createCall'> = async (
  ports,
  { caller, body },
) => {
  const scheduledAt = body.scheduled_at ? parseIso(body.scheduled_at) : null
  const errors = [...insecureAddresses(ports, body), ...contradiction(ports, body, scheduledAt)]
  if (errors.length > 0) return invalid(errors)
  const result = await placeCall(ports, {
    organizationId: caller.organizationId,
    isTest: caller.isTest,
    toPhoneNumber: body.phone_number,
    fromPhoneNumber: body.from_phone_number ?? null,
    assistant: assistantOf(ports, body),
    concurrency: body.concurrency ?? null,
    forceNow: body.force_now ?? false,
    metadata: body.metadata ?? {},
    promptVariables: body.prompt_variables ?? {},
    scheduledAt,
  })
  if (result.kind === 'refused') {
    return invalid([
      { pointer: '/assistant_id', code: result.reason, detail: 'There is no such assistant' },
    ])
  }
  const { order, assistant } = result
  const call = { order, attempts: [], assistant, campaignName: null, recordingUrls: new Map() }
  return ok({ call: callToWire(call) })
}

/** A stored assistant wins over one given inside the request (spec 4.4). */
function assistantOf(
  ports: Pick<ServicePorts, 'ids'>,
  { assistant_id: assistantId, assistant }: CreateCallBody,
): PlaceCallInput['assistant'] {
  if (assistantId !== undefined) return { kind: 'stored', assistantId }
  if (assistant === undefined) throw new Error('The body was checked to name an assistant')
  const faqItems = newFaqItems(ports, assistant.faq_items ?? [])
  return { kind: 'inline', settings: { ...inlineSettings(assistant), faqItems } }
}

function insecureAddresses(ports: Pick<Ports, 'limits'>, body: CreateCallBody): FieldError[] {
  if (ports.limits.allowPlainHttp === true || body.assistant === undefined) return []
  return plainHttpErrors(body.assistant, '/assistant')
}

function contradiction(
  ports: Pick<Ports, 'clock'>,
  body: CreateCallBody,
  scheduledAt: number | null,
): FieldError[] {
  const isLater = scheduledAt !== null && scheduledAt > ports.clock.now()
  if (body.force_now !== true || !isLater) return []
  const detail = 'A call that is scheduled for later cannot be forced now'
  return [{ pointer: '/force_now', code: 'contradicts_scheduled_at', detail }]
}
