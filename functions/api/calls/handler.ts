import {
  assistants,
  calls,
  callSearch,
  campaigns,
  compose,
  http,
  idempotency,
  organizations,
  phoneNumbers,
  queues,
  recordings,
  scheduler,
  suppressions,
  wakes,
  permits,
  turns,
} from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { callRoutes } from '#shared/contract/call-routes.ts'

import { cancelCallOperation, pauseCallOperation, resumeCallOperation } from './change-call.ts'
import { createCallOperation } from './create-call.ts'
import { exportCallsOperation } from './export-calls.ts'
import { getCallOperation } from './get-call.ts'
import { getPhoneHistoryOperation } from './get-phone-history.ts'
import { searchCallsOperation } from './search-calls.ts'

export const callHandler = httpHandler(callRoutes, {
  createCall: createCallOperation,
  getCall: getCallOperation,
  pauseCall: pauseCallOperation,
  resumeCall: resumeCallOperation,
  cancelCall: cancelCallOperation,
  searchCalls: searchCallsOperation,
  exportCalls: exportCallsOperation,
  getPhoneHistory: getPhoneHistoryOperation,
})

export const ports = compose({
  ...http,
  idempotency,
  assistants,
  calls,
  callSearch,
  campaigns,
  organizations,
  phoneNumbers,
  queues,
  recordings,
  scheduler,
  suppressions,
  wakes,
  permits,
  turns,
})
export const handler = callHandler(ports)
