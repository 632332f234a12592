import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { contactsKey } from './work-on-campaign.ts'

const EXPIRES_IN_SECS = 3_600

export interface CampaignUpload {
  readonly id: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Epoch ms. */
  readonly expiresAt: number
}

/** Where contacts may be uploaded for a campaign that is created afterwards (decisions 5). */
export async function offerCampaignUpload(
  ports: Pick<ServicePorts, 'contactUploads' | 'clock' | 'ids'>,
  organizationId: string,
): Promise<CampaignUpload> {
  const id = ports.ids.next('upl')
  const key = contactsKey(organizationId, id)
  const { url, headers } = await ports.contactUploads.offer(key, EXPIRES_IN_SECS)
  return { id, url, headers, expiresAt: ports.clock.now() + EXPIRES_IN_SECS * 1_000 }
}
