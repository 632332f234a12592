import type { CallRow } from '#shared/domain/call-search/call-row.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { findCall, type FoundCall } from './find-call.ts'

/** Whole calls may be large: so many are in memory at once. */
const BATCH_SIZE = 25

type ReadPorts = Parameters<typeof findCall>[0]

/**
 * The calls of a page as GET /call/{id} shows them, in the order of its rows, read in batches while
 * somebody goes on asking for them. Null stands for a call that was removed meanwhile.
 */
export async function* readCalls(
  ports: ReadPorts,
  page: { readonly organizationId: string; readonly rows: readonly CallRow[] },
): AsyncGenerator<{ readonly row: CallRow; readonly call: FoundCall | null }> {
  const { organizationId, rows } = page
  const { calls, recordings } = ports
  const assistants = withRememberedVersions(ports.assistants)
  const campaigns = withRememberedCampaigns(ports.campaigns)
  const own = { calls, campaigns, recordings, assistants }
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    yield* await Promise.all(
      rows.slice(start, start + BATCH_SIZE).map(async (row) => ({
        row,
        call: await findCall(own, { organizationId, orderId: row.id }),
      })),
    )
  }
}

/** Many calls of a page share an assistant; a version of it never changes. */
function withRememberedVersions(assistants: ServicePorts['assistants']) {
  const versions = new Map<string, ReturnType<typeof assistants.findVersion>>()
  return {
    ...assistants,
    findVersion: (assistantId: string, version: number) => {
      const key = `${assistantId}#${version}`
      const found = versions.get(key) ?? assistants.findVersion(assistantId, version)
      versions.set(key, found)
      return found
    },
  }
}

/** Many calls of a page belong to one campaign. */
function withRememberedCampaigns(campaigns: ServicePorts['campaigns']) {
  const remembered = new Map<string, ReturnType<typeof campaigns.find>>()
  return {
    ...campaigns,
    find: (campaignId: string) => {
      const found = remembered.get(campaignId) ?? campaigns.find(campaignId)
      remembered.set(campaignId, found)
      return found
    },
  }
}
