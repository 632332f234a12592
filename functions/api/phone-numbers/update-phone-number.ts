import { invalid, ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { phoneNumberToWire } from '#shared/contract/phone-number-to-wire.ts'
import { camelKeys } from '#shared/contract/wire-case.ts'
import { changePhoneNumber } from '#shared/use-cases/change-phone-number.ts'

import { UNKNOWN_ASSISTANT } from './unknown-assistant.ts'

/** PATCH /phone-numbers/{id} */
export const updatePhoneNumberOperation: Operation<
  Parameters<typeof changePhoneNumber>[0],
  'updatePhoneNumber'
> = async (ports, { caller, params, body }) => {
  const { is_default_outbound: isDefault, ...settings } = body
  const result = await changePhoneNumber(
    ports,
    { organizationId: caller.organizationId, phoneNumberId: params.id },
    { settings: camelKeys(settings), isDefault },
  )
  switch (result.kind) {
    case 'changed':
      return ok({ phone_number: phoneNumberToWire(result.found) })
    case 'assistant_not_found':
      return invalid([UNKNOWN_ASSISTANT])
    case 'not_found':
      return refused('not_found', 'There is no phone number with this id')
    case 'conflict':
      return refused('state_conflict', 'The phone number is being changed by others; ask again')
  }
}
