import { compose, http, idempotency, suppressions } from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { suppressionRoutes } from '#shared/contract/suppression-routes.ts'

import {
  createSuppressionOperation,
  deleteSuppressionOperation,
  getSuppressionOperation,
  listSuppressionsOperation,
} from './suppression-operations.ts'

export const suppressionHandler = httpHandler(suppressionRoutes, {
  createSuppression: createSuppressionOperation,
  listSuppressions: listSuppressionsOperation,
  getSuppression: getSuppressionOperation,
  deleteSuppression: deleteSuppressionOperation,
})

export const ports = compose({ ...http, idempotency, suppressions })
export const handler = suppressionHandler(ports)
