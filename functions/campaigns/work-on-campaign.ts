import {
  assistants,
  calls,
  campaigns,
  clock,
  compose,
  contactUploads,
  ids,
  logger,
  organizations,
  phoneNumbers,
  queues,
  scheduler,
  wakes,
} from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'

import { sha256 } from './sha256.ts'

type Ports = Parameters<typeof workOnCampaign>[0]

/** Makes the next contacts rows, or lets the next rows follow what became of their campaign. */
export const importRows: QueueOperation<'import', Ports> = {
  queue: 'import',
  run: (ports, { campaignId }) => workOnCampaign(ports, { campaignId, hash: sha256 }),
}

export const ports = compose({
  assistants,
  calls,
  campaigns,
  clock,
  contactUploads,
  ids,
  logger,
  organizations,
  phoneNumbers,
  queues,
  scheduler,
  wakes,
})
export const handler = queueHandler(importRows, ports)
