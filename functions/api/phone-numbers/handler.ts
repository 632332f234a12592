import {
  assistants,
  campaigns,
  compose,
  http,
  idempotency,
  organizations,
  phoneNumbers,
} from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { phoneNumberRoutes } from '#shared/contract/phone-number-routes.ts'

import { createPhoneNumberOperation } from './create-phone-number.ts'
import { deletePhoneNumberOperation } from './delete-phone-number.ts'
import { listPhoneNumbersOperation } from './list-phone-numbers.ts'
import { updatePhoneNumberOperation } from './update-phone-number.ts'

export const phoneNumberHandler = httpHandler(phoneNumberRoutes, {
  createPhoneNumber: createPhoneNumberOperation,
  listPhoneNumbers: listPhoneNumbersOperation,
  updatePhoneNumber: updatePhoneNumberOperation,
  deletePhoneNumber: deletePhoneNumberOperation,
})

export const ports = compose({
  ...http,
  idempotency,
  assistants,
  campaigns,
  organizations,
  phoneNumbers,
})
export const handler = phoneNumberHandler(ports)
