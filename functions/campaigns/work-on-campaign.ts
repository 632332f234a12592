import { compose } from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'

import { sha256 } from './sha256.ts'

/** Makes the next contacts rows, or lets the next rows follow what became of their campaign. */
export const importRows: QueueOperation<'import'> = {
  queue: 'import',
  run: (ports, { campaignId }) => workOnCampaign(ports, { campaignId, hash: sha256 }),
}

export const handler = queueHandler(importRows, compose)
