import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { callToWire } from '#shared/contract/call-to-wire.ts'
import { findCall } from '#shared/use-cases/find-call.ts'

/** GET /call/{id} */
export const getCallOperation: Operation<Parameters<typeof findCall>[0], 'getCall'> = async (
  ports,
  { caller, params },
) => {
  const call = await findCall(ports, {
    organizationId: caller.organizationId,
    orderId: params.id,
  })
  if (call === null) return refused('not_found', 'There is no call with this id')
  return ok({ call: callToWire(call) })
}
