import { invalid, ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { phoneNumberToWire } from '#shared/contract/phone-number-to-wire.ts'
import { addPhoneNumber } from '#shared/use-cases/add-phone-number.ts'

import { UNKNOWN_ASSISTANT } from './unknown-assistant.ts'

/** POST /phone-numbers */
export const createPhoneNumberOperation: Operation<
  Parameters<typeof addPhoneNumber>[0],
  'createPhoneNumber'
> = async (ports, { caller, body }) => {
  const result = await addPhoneNumber(ports, {
    organizationId: caller.organizationId,
    userId: caller.userId,
    phoneNumber: body.phone_number ?? null,
    type: body.type ?? 'owned_number',
    provider: body.provider ?? 'sip',
    label: body.label ?? null,
    settings: {
      inboundAssistantId: body.inbound_assistant_id ?? null,
      inboundSipUri: body.inbound_sip_uri ?? null,
      outboundTrunkId: body.outbound_trunk_id ?? null,
    },
    isDefault: body.is_default_outbound ?? false,
  })
  if (result.kind === 'added') return ok({ phone_number: phoneNumberToWire(result.found) })
  switch (result.reason) {
    case 'assistant_not_found':
      return invalid([UNKNOWN_ASSISTANT])
    case 'number_taken':
      return refused('number_taken', 'Some organization has this number already')
    case 'no_number_left':
      return refused('no_number_left', 'The service has no number to give; bring your own')
  }
}
