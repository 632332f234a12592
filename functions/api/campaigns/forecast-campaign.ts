import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { forecastOf } from '#shared/contract/campaign-forecast.ts'
import { CONTACTS_MAX } from '#shared/contract/campaign.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

type Ports = Pick<ServicePorts, 'organizations' | 'clock' | 'limits'>

/** POST /campaigns/forecast */
export const forecastCampaignOperation: Operation<Ports, 'forecastCampaign'> = async (
  ports,
  { caller, body },
) => {
  if ((body.contacts?.length ?? 0) > CONTACTS_MAX) {
    const detail = `A request holds at most ${CONTACTS_MAX} contacts; say how many there are in /rows_by_zone`
    return refused('use_upload', detail)
  }
  const organization = await ports.organizations.findOrganization(caller.organizationId)
  const { trunk } = ports.limits
  const forecast = forecastOf(body, {
    maxConcurrentCalls: Math.min(organization?.maxConcurrentCalls ?? 1, trunk.maxConcurrentCalls),
    callsPerSecond: trunk.callsPerSecond,
    now: ports.clock.now(),
  })
  return ok({ forecast })
}
