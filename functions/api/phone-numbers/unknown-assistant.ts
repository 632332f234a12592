import type { FieldError } from '#shared/contract/problem.ts'

/** A number cannot be answered by an assistant that the organization does not have. */
export const UNKNOWN_ASSISTANT: FieldError = {
  pointer: '/inbound_assistant_id',
  code: 'assistant_not_found',
  detail: 'There is no such assistant',
}
