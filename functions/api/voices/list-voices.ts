import { ok } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { snakeKeys } from '#shared/contract/wire-case.ts'
import { findVoices } from '#shared/domain/voice-catalogue.ts'

/** GET /voices */
export const listVoicesOperation: Operation<unknown, 'listVoices'> = async (_ports, { query }) => {
  const voices = findVoices({
    provider: query.provider ?? null,
    language: query.language ?? null,
  })
  return ok({ voices: snakeKeys(voices) })
}
