import type { CallFilter } from '#shared/domain/call-search/call-filter.ts'
import type { CallPosition, CallRow } from '#shared/domain/call-search/call-row.ts'
import { DAY_MS } from '#shared/domain/time.ts'
import type { CallSelection } from '#shared/ports/call-search.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

export interface WantedCalls {
  readonly organizationId: string
  readonly filter: CallFilter
  /** Epoch ms, included; null: from the first call on. */
  readonly createdFrom: number | null
  /** Epoch ms, excluded; null: to the last one. */
  readonly createdTo: number | null
}

export interface WantedPage {
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  /** The last call of the page before. */
  readonly after: CallPosition | null
}

export interface CallPage {
  readonly rows: readonly CallRow[]
  /** Whether calls follow behind these. */
  readonly hasMore: boolean
}

type SearchPorts = Pick<ServicePorts, 'callSearch' | 'organizations' | 'clock'>

/** A page of an organization's calls, and how many calls all pages hold together. */
export async function searchCalls(
  ports: SearchPorts,
  wanted: WantedCalls,
  page: WantedPage,
): Promise<CallPage & { readonly total: number }> {
  const selection = await selectionOf(ports, wanted)
  const [found, total] = await Promise.all([
    pageOf(ports, selection, page),
    ports.callSearch.count(selection),
  ])
  return { ...found, total }
}

/** A page of an organization's calls. */
export async function listCalls(
  ports: SearchPorts,
  wanted: WantedCalls,
  page: WantedPage,
): Promise<CallPage> {
  return pageOf(ports, await selectionOf(ports, wanted), page)
}

async function pageOf(
  ports: Pick<ServicePorts, 'callSearch'>,
  selection: CallSelection,
  page: WantedPage,
): Promise<CallPage> {
  const rows = await ports.callSearch.list(selection, { ...page, limit: page.limit + 1 })
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

/**
 * A search goes through one month after the other, so its time must have two ends: calls of an
 * organization are not older than itself, and not newer than the fastest of our clocks says.
 */
async function selectionOf(ports: SearchPorts, wanted: WantedCalls): Promise<CallSelection> {
  const { organizationId, filter, createdFrom, createdTo } = wanted
  const organization = await ports.organizations.findOrganization(organizationId)
  const end = ports.clock.now() + DAY_MS
  return {
    organizationId,
    filter,
    createdFrom: Math.max(createdFrom ?? 0, organization?.createdAt ?? 0),
    createdTo: Math.min(createdTo ?? end, end),
  }
}
