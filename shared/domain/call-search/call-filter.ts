/** Which calls somebody looks for (decisions 2): AND between fields, OR inside one. */

import type { Outcome } from '../assistant.ts'
import type { AttemptResult } from '../call-attempt/attempt.ts'
import type { CallOrder, CallOrderStatus } from '../call-order/order.ts'
import { foldText, metadataToken, type CallRow } from './call-row.ts'

/** An empty field restricts nothing. */
export interface CallFilter {
  /** Part of the call's id, of the phone number or of what is known of the contact. */
  readonly text: string
  readonly assistantIds: readonly string[]
  readonly campaignIds: readonly string[]
  readonly statuses: readonly CallOrderStatus[]
  readonly results: readonly (AttemptResult | 'none')[]
  readonly outcomes: readonly (Outcome | 'none')[]
  readonly directions: readonly CallOrder['direction'][]
  /** E.164, on the other side of the line; null: any. */
  readonly phoneNumber: string | null
  /** Every pair must be there. */
  readonly metadata: Readonly<Record<string, string>>
}

/** The filter that every call passes. */
export const EVERY_CALL: CallFilter = {
  text: '',
  assistantIds: [],
  campaignIds: [],
  statuses: [],
  results: [],
  outcomes: [],
  directions: [],
  phoneNumber: null,
  metadata: {},
}

/** What a filter asks of a row, in a form that a database can be asked too. All of them must hold. */
export type CallCondition =
  | {
      readonly kind: 'oneOf'
      readonly field: Exclude<keyof CallRow, 'id' | 'createdAt' | 'text' | 'metadata'>
      readonly values: readonly (string | null)[]
    }
  | {
      readonly kind: 'contains'
      readonly field: 'text' | 'metadata'
      readonly value: string
    }

/** The conditions of a filter. */
export function conditionsOf(filter: CallFilter): CallCondition[] {
  const lists: Extract<CallCondition, { kind: 'oneOf' }>[] = [
    { kind: 'oneOf', field: 'assistantId', values: filter.assistantIds },
    { kind: 'oneOf', field: 'campaignId', values: filter.campaignIds },
    { kind: 'oneOf', field: 'status', values: filter.statuses },
    { kind: 'oneOf', field: 'result', values: filter.results.map(orNull) },
    { kind: 'oneOf', field: 'outcome', values: filter.outcomes.map(orNull) },
    { kind: 'oneOf', field: 'direction', values: filter.directions },
    {
      kind: 'oneOf',
      field: 'phoneNumber',
      values: filter.phoneNumber === null ? [] : [filter.phoneNumber],
    },
  ]
  const texts = filter.text === '' ? [] : [foldText(filter.text)]
  const tokens = Object.entries(filter.metadata).map(metadataToken)
  return [
    ...lists.filter(({ values }) => values.length > 0),
    ...texts.map((value) => ({ kind: 'contains', field: 'text', value }) as const),
    ...tokens.map((value) => ({ kind: 'contains', field: 'metadata', value }) as const),
  ]
}

function orNull(value: string): string | null {
  return value === 'none' ? null : value
}
