import { type Campaign, isOver } from '#shared/domain/campaign/campaign.ts'
import type { PhoneNumber } from '#shared/domain/phone-number.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import type { NumberOfOwner } from './change-phone-number.ts'
import { defaultFromPhoneNumber } from './default-from-phone-number.ts'

type RemovePorts = Pick<ServicePorts, 'phoneNumbers' | 'campaigns' | 'assistants' | 'organizations'>

/** How many campaigns are looked at with one request. */
const CAMPAIGNS_AT_ONCE = 100

/**
 * Gives a number up, unless a campaign calls from it (decisions 2): one that runs, or that will when
 * its time comes or its pause ends.
 */
export async function removePhoneNumber(
  ports: RemovePorts,
  target: NumberOfOwner,
): Promise<'removed' | 'not_found' | 'in_use'> {
  const { organizationId, phoneNumberId } = target
  const number = await ports.phoneNumbers.find(organizationId, phoneNumberId)
  if (number === null) return 'not_found'
  if (await isInUse(ports, number)) return 'in_use'
  // Before it is gone: nobody must be called from a number that is no longer the organization's.
  await ports.phoneNumbers.unsetDefault(number)
  const isRemoved = await ports.phoneNumbers.remove(organizationId, phoneNumberId)
  return isRemoved ? 'removed' : 'not_found'
}

async function isInUse(ports: RemovePorts, number: PhoneNumber): Promise<boolean> {
  const { organizationId, phoneNumber } = number
  const standard = await defaultFromPhoneNumber(ports, organizationId)
  let cursor: string | null = null
  do {
    const page: { campaigns: Campaign[]; nextCursor: string | null } = await ports.campaigns.list(
      organizationId,
      { limit: CAMPAIGNS_AT_ONCE, cursor },
    )
    for (const campaign of page.campaigns) {
      if (campaign.status === 'completed' || isOver(campaign)) continue
      const own = campaign.fromPhoneNumber ?? (await fromPhoneNumberOfAssistant(ports, campaign))
      if ((own ?? standard) === phoneNumber) return true
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return false
}

async function fromPhoneNumberOfAssistant(
  ports: Pick<ServicePorts, 'assistants'>,
  { assistantId, assistantVersion }: Campaign,
): Promise<string | null> {
  const assistant = await ports.assistants.findVersion(assistantId, assistantVersion)
  return assistant?.fromPhoneNumber ?? null
}
