import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { createPhoneNumberOperation } from './create-phone-number.ts'
import { deletePhoneNumberOperation } from './delete-phone-number.ts'
import { listPhoneNumbersOperation } from './list-phone-numbers.ts'
import { updatePhoneNumberOperation } from './update-phone-number.ts'

export const phoneNumberOperations: Operations<ServicePorts, 'phone-numbers'> = {
  createPhoneNumber: createPhoneNumberOperation,
  listPhoneNumbers: listPhoneNumbersOperation,
  updatePhoneNumber: updatePhoneNumberOperation,
  deletePhoneNumber: deletePhoneNumberOperation,
}

export const handler = httpHandler(phoneNumberOperations, compose)
