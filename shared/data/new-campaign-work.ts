import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import type { Change } from '#shared/ports/change.ts'

/** Whether the sweep must know of a campaign from this change on. */
export function hasNewWork({ before, after }: Change<Campaign>): boolean {
  return before === null || (before.rowsToFollow === null && after.rowsToFollow !== null)
}
