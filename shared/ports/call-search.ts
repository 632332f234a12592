import type { CallFilter } from '#shared/domain/call-search/call-filter.ts'
import type { CallPosition, CallRow } from '#shared/domain/call-search/call-row.ts'

/** The calls of one organization, created within a time, that pass a filter. */
export interface CallSelection {
  readonly organizationId: string
  /** Epoch ms, included. */
  readonly createdFrom: number
  /** Epoch ms, excluded. */
  readonly createdTo: number
  readonly filter: CallFilter
}

/**
 * The list of every organization's calls. It follows the calls within moments: what a row says may
 * be a little old, and the newest call may still be missing.
 */
export interface CallSearch {
  /**
   * Up to `limit` rows strictly behind `after` (null: from the start) by creation, then id. A call
   * never moves in the list, so pages that follow each other repeat and skip nothing.
   */
  list(
    selection: CallSelection,
    page: {
      readonly direction: 'asc' | 'desc'
      readonly limit: number
      readonly after: CallPosition | null
    },
  ): Promise<CallRow[]>
  /** How many calls are selected, exactly. */
  count(selection: CallSelection): Promise<number>
}
