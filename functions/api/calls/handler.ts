import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { cancelCallOperation, pauseCallOperation, resumeCallOperation } from './change-call.ts'
import { createCallOperation } from './create-call.ts'
import { exportCallsOperation } from './export-calls.ts'
import { getCallOperation } from './get-call.ts'
import { getPhoneHistoryOperation } from './get-phone-history.ts'
import { searchCallsOperation } from './search-calls.ts'

export const callOperations: Operations<ServicePorts, 'calls'> = {
  createCall: createCallOperation,
  getCall: getCallOperation,
  pauseCall: pauseCallOperation,
  resumeCall: resumeCallOperation,
  cancelCall: cancelCallOperation,
  searchCalls: searchCallsOperation,
  exportCalls: exportCallsOperation,
  getPhoneHistory: getPhoneHistoryOperation,
}

export const handler = httpHandler(callOperations, compose)
