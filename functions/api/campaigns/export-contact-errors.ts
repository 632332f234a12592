import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import {
  CONTACT_ERRORS_HEADER,
  contactErrorRow,
  readContactOffset,
  writeContactOffset,
} from '#shared/contract/contact-errors.ts'
import { listContactErrors } from '#shared/use-cases/list-contact-errors.ts'

type Ports = Parameters<typeof listContactErrors>[0]

/** GET /campaigns/{id}/contact-errors */
export const exportContactErrorsOperation: Operation<Ports, 'exportContactErrors'> = async (
  ports,
  { caller, params, query },
) => {
  const from = query.offset === undefined ? null : readContactOffset(query.offset)
  const { organizationId } = caller
  const result = await listContactErrors(ports, { organizationId, campaignId: params.id, from })
  if (result.kind === 'no_campaign') {
    return refused('not_found', 'There is no campaign with this id')
  }
  if (result.kind === 'no_file') {
    const detail = 'The file with the contacts is not kept any more; the rows say what is wrong'
    return refused('not_found', detail)
  }
  const { errors, next } = result
  return ok({
    csv: (from === null ? CONTACT_ERRORS_HEADER : '') + errors.map(contactErrorRow).join(''),
    filename: `contact_errors_${params.id}.csv`,
    next_offset: next && writeContactOffset(next),
  })
}
