import { EVERY_CALL } from '#shared/domain/call-search/call-filter.ts'
import type { CallPosition, CallRow } from '#shared/domain/call-search/call-row.ts'
import { LAST_MOMENT } from '#shared/domain/time.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { listCalls } from './search-calls.ts'

export interface PhoneHistory {
  readonly phoneNumber: string
  readonly callsCount: number
  /** Calls in which a person was reached; nobody is called again after that. */
  readonly answeredCount: number
  readonly inboundCount: number
  readonly last: CallRow
  readonly isSuppressed: boolean
}

type HistoryPorts = Pick<ServicePorts, 'callSearch' | 'organizations' | 'clock' | 'suppressions'>

/** How many calls of the list are looked at, and of how many numbers the calls are read, at once. */
const ROWS_AT_ONCE = 1_000
const NUMBERS_AT_ONCE = 50

/**
 * What an organization's calls say of each phone number, the number with the newest call first.
 * Computed from the lists of calls: the organization's is read from its newest call on, until enough
 * different numbers were met, and of each number every call. Nothing is written for it when a call
 * changes, so calls to one number never wait for each other.
 */
export async function phoneHistory(
  ports: HistoryPorts,
  input: {
    readonly organizationId: string
    readonly limit: number
    /** The `next` of the page before. */
    readonly after: CallPosition | null
  },
): Promise<{ readonly history: readonly PhoneHistory[]; readonly next: CallPosition | null }> {
  const found: { history: PhoneHistory; row: CallRow }[] = []
  for await (const rows of newestOfNumbers(ports, input)) {
    const read = await Promise.all(
      rows.map(async (row) => ({ row, history: await historyOf(ports, input, row) })),
    )
    found.push(...read.flatMap(({ row, history }) => (history === null ? [] : { row, history })))
    if (found.length > input.limit) break
  }
  const shown = found.slice(0, input.limit)
  return {
    history: shown.map(({ history }) => history),
    next: found.length > input.limit ? (shown.at(-1)?.row ?? null) : null,
  }
}

interface Place {
  readonly organizationId: string
  readonly after: CallPosition | null
}

/** The newest call behind `after` of each number, in groups. */
async function* newestOfNumbers(ports: HistoryPorts, place: Place): AsyncGenerator<CallRow[]> {
  const wanted = { ...place, filter: EVERY_CALL, createdFrom: null, createdTo: null }
  const met = new Set<string | null>([null])
  let { after } = place
  for (;;) {
    const page = { direction: 'desc', limit: ROWS_AT_ONCE, after } as const
    const { rows, hasMore } = await listCalls(ports, wanted, page)
    const newest: CallRow[] = []
    for (const row of rows) {
      if (!met.has(row.phoneNumber)) newest.push(row)
      met.add(row.phoneNumber)
    }
    for (let start = 0; start < newest.length; start += NUMBERS_AT_ONCE) {
      yield newest.slice(start, start + NUMBERS_AT_ONCE)
    }
    after = rows.at(-1) ?? null
    if (!hasMore) return
  }
}

/** Null when the number has a call on an earlier page: it was shown there. */
async function historyOf(
  ports: HistoryPorts,
  { organizationId, after }: Place,
  { phoneNumber }: CallRow,
): Promise<PhoneHistory | null> {
  if (phoneNumber === null) return null
  const calls = await callsWith(ports, organizationId, phoneNumber)
  const [last] = calls
  if (last === undefined || (after !== null && !isBehind(last, after))) return null
  return {
    phoneNumber,
    callsCount: calls.length,
    answeredCount: calls.filter(({ result }) => result === 'human').length,
    inboundCount: calls.filter(({ direction }) => direction === 'inbound').length,
    last,
    isSuppressed: await ports.suppressions.has(organizationId, phoneNumber),
  }
}

function isBehind(call: CallPosition, after: CallPosition): boolean {
  if (call.createdAt !== after.createdAt) return call.createdAt < after.createdAt
  return call.id < after.id
}

/** Newest first. */
async function callsWith(
  ports: HistoryPorts,
  organizationId: string,
  phoneNumber: string,
): Promise<CallRow[]> {
  const filter = { ...EVERY_CALL, phoneNumber }
  const selection = { organizationId, filter, createdFrom: 0, createdTo: LAST_MOMENT }
  const calls: CallRow[] = []
  for (;;) {
    const after = calls.at(-1) ?? null
    const page = { direction: 'desc', limit: ROWS_AT_ONCE, after } as const
    const found = await ports.callSearch.list(selection, page)
    calls.push(...found)
    if (found.length < ROWS_AT_ONCE) return calls
  }
}
