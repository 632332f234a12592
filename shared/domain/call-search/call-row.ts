/** What the list of an organization's calls knows of each: enough to search and to count. */

import type { Outcome } from '../assistant.ts'
import type { AttemptResult } from '../call-attempt/attempt.ts'
import type { CallOrder, CallOrderStatus } from '../call-order/order.ts'

/** Where a call stands in the list: by creation, then id. */
export interface CallPosition {
  readonly createdAt: number
  readonly id: string
}

export interface CallRow extends CallPosition {
  /** On the other side of the line; null for a caller who withheld it. */
  readonly phoneNumber: string | null
  readonly direction: CallOrder['direction']
  readonly status: CallOrderStatus
  readonly assistantId: string
  readonly campaignId: string | null
  /** Of the last attempt that ended. */
  readonly result: AttemptResult | null
  readonly outcome: Outcome | null
  /** What free text is looked for in: id, phone number and contact, folded. */
  readonly text: string
  /** One token per pair. */
  readonly metadata: readonly string[]
}

/** The variables that say who the contact is (spec 2.9). */
const CONTACT_VARIABLES = ['first_name', 'last_name', 'company', 'email', 'job_title'] as const
/** Rows stay small, whatever a customer stores with a call. */
const TEXT_LENGTH_MAX = 200
const METADATA_PAIRS_MAX = 50
/** Longer pairs are stored with the call and cannot be searched by. */
export const METADATA_TOKEN_LENGTH_MAX = 500

/** The row of an order. */
export function callRowOf(order: CallOrder): CallRow {
  const { id, createdAt, direction, status, outcome, promptVariables } = order
  const phoneNumber = direction === 'outbound' ? order.toPhoneNumber : order.fromPhoneNumber
  const contact = CONTACT_VARIABLES.map((name) => promptVariables[name] ?? '')
  const texts = [id, phoneNumber ?? '', ...contact].filter((text) => text !== '')
  return {
    id,
    createdAt,
    phoneNumber,
    direction,
    status,
    assistantId: assistantIdOf(order),
    campaignId: order.campaign?.campaignId ?? null,
    result: order.lastAttempt?.result ?? null,
    outcome,
    text: texts.map((text) => foldText(text.slice(0, TEXT_LENGTH_MAX))).join('\n'),
    metadata: Object.entries(order.metadata)
      .slice(0, METADATA_PAIRS_MAX)
      .map(metadataToken)
      .filter((token) => token.length <= METADATA_TOKEN_LENGTH_MAX),
  }
}

/**
 * The assistant of an order. One given inside POST /call is stored nowhere else: its id is the
 * call's under the prefix of assistants, so that it stays a well-formed id that names nothing.
 */
export function assistantIdOf(order: Pick<CallOrder, 'id' | 'assistant'>): string {
  return order.assistant.kind === 'stored'
    ? order.assistant.assistantId
    : order.id.replace('call_', 'asst_')
}

/** Text as it is compared: without case, and well-formed because not every store keeps the rest. */
export function foldText(text: string): string {
  return text.toLowerCase().toWellFormed()
}

/** One pair of metadata as one text that no other pair has. */
export function metadataToken([key, value]: readonly [key: string, value: string]): string {
  return JSON.stringify([key, value])
}
