import { ok } from '#functions/middleware/answer.ts'
import { fittingPage } from '#functions/middleware/fitting-page.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { phoneNumberToWire } from '#shared/contract/phone-number-to-wire.ts'
import {
  type FindPhoneNumberPorts,
  listPhoneNumbers,
} from '#shared/use-cases/find-phone-numbers.ts'

/** GET /phone-numbers */
export const listPhoneNumbersOperation: Operation<
  FindPhoneNumberPorts,
  'listPhoneNumbers'
> = async (ports, { caller, query }) => {
  const { organizationId } = caller
  const { found, nextCursor } = await listPhoneNumbers(ports, { organizationId, ...query })
  const records = found.map((one) => ({ id: one.number.id, ...one }))
  const page = fittingPage({ records, nextCursor }, phoneNumberToWire)
  return ok({ phone_numbers: page.items, next_cursor: page.nextCursor })
}
