import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { cancelCall, pauseCall, resumeCall } from '#shared/use-cases/change-order.ts'

type Change = typeof pauseCall
type Ports = Parameters<Change>[0]
type ChangeOperation = Operation<Ports, 'pauseCall' | 'resumeCall' | 'cancelCall'>

function changeOperation(change: Change): ChangeOperation {
  return async (ports, { caller, params }) => {
    const result = await change(ports, {
      organizationId: caller.organizationId,
      orderId: params.id,
    })
    switch (result.kind) {
      case 'done':
        return ok({ success: true })
      case 'not_found':
        return refused('not_found', 'There is no call with this id')
      case 'conflict':
        return refused('state_conflict', result.reason)
    }
  }
}

/** POST /call/{id}/pause */
export const pauseCallOperation = changeOperation(pauseCall)
/** POST /call/{id}/resume */
export const resumeCallOperation = changeOperation(resumeCall)
/** POST /call/{id}/cancel */
export const cancelCallOperation = changeOperation(cancelCall)
