import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import {
  createSuppressionOperation,
  deleteSuppressionOperation,
  getSuppressionOperation,
  listSuppressionsOperation,
} from './suppression-operations.ts'

export const suppressionOperations: Operations<ServicePorts, 'suppressions'> = {
  createSuppression: createSuppressionOperation,
  listSuppressions: listSuppressionsOperation,
  getSuppression: getSuppressionOperation,
  deleteSuppression: deleteSuppressionOperation,
}

export const handler = httpHandler(suppressionOperations, compose)
