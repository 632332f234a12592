import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { removePhoneNumber } from '#shared/use-cases/remove-phone-number.ts'

/** DELETE /phone-numbers/{id} */
export const deletePhoneNumberOperation: Operation<
  Parameters<typeof removePhoneNumber>[0],
  'deletePhoneNumber'
> = async (ports, { caller, params }) => {
  const result = await removePhoneNumber(ports, {
    organizationId: caller.organizationId,
    phoneNumberId: params.id,
  })
  switch (result) {
    case 'removed':
      return ok({ success: true })
    case 'not_found':
      return refused('not_found', 'There is no phone number with this id')
    case 'in_use':
      return refused('number_in_use', 'A campaign that is not over calls from this number')
  }
}
