import * as z from 'zod'

const SIP_ADDRESS_INCOMPLETE = 484

/** The body of `POST /calls`. */
export const dialRequest = z.strictObject({
  attempt_id: z.string().min(1).max(128),
  order_id: z.string().min(1).max(128),
  attempt_number: z.int().min(1),
  to: z.string().regex(/^\+[1-9]\d{6,14}$/),
  from: z.string().regex(/^\+[1-9]\d{6,14}$/),
  media_url: z.url({ protocol: /^wss?$/ }),
  status_url: z.url({ protocol: /^https?$/ }),
  ring_timeout_secs: z.number().positive().max(600),
})

export type SimulatedDial = Readonly<z.infer<typeof dialRequest>>

/** Why a dial is refused, in the carrier's words: which field, and never its content. */
export function refusalOf(error: z.ZodError): {
  code: string
  message: string
  sip_code: number | null
} {
  const issue = error.issues[0]
  const field = issue?.path.join('.') ?? ''
  return field === 'to'
    ? {
        code: 'invalid_number',
        message: 'to is not a number in E.164',
        sip_code: SIP_ADDRESS_INCOMPLETE,
      }
    : {
        code: 'invalid_request',
        message: `${field}: ${issue?.message ?? 'malformed'}`,
        sip_code: null,
      }
}
