import { apiClient, succeeded } from '#test/support/api-client.ts'
import { alwaysOpen, type CarrierCall } from '#test/support/local-stack.ts'
import { MortalProcesses } from '#test/support/processes/mortal-processes.ts'
import { startSurroundings, type Surroundings } from '#test/support/processes/surroundings.ts'
import { until } from '#test/support/until.ts'

/** A machine that is slower than the pace is measured by what it has dialled until then. */
const MEASURED_MS = 60_000
const SECS = 5
/** The first ones are dialled by code that is compiled while it runs. */
const WARM_UP_SHARE = 0.2

export interface DialDelay {
  /** What the trunk allows. */
  readonly callsPerSec: number
  /** What the processes on this machine made of it. */
  readonly achievedPerSec: number
  readonly dials: number
  readonly ms: { readonly p50: number; readonly p99: number }
}

/**
 * From the decision that an order is called now to the request that the carrier receives, in a
 * campaign at the given pace: permits, transaction, queue, claim and last look lie in between.
 * Functions and voice runtime are processes of their own; nobody picks up.
 */
export async function dialDelay(callsPerSec: number): Promise<DialDelay> {
  const processes: MortalProcesses = new MortalProcesses(() => surroundings.localUrl)
  const surroundings = await startSurroundings({
    speed: 1,
    functions: processes,
    planDial: () => ({ kind: 'fails', sipCode: 486, endedBy: 'callee' }),
    trunk: { id: 'simulated', maxConcurrentCalls: 1_000, callsPerSecond: callsPerSec },
  })
  try {
    await processes.start()
    return await measure(surroundings, callsPerSec)
  } finally {
    await processes.stop()
    await surroundings.stop()
  }
}

async function measure(surroundings: Surroundings, callsPerSec: number): Promise<DialDelay> {
  const rows = callsPerSec * SECS
  await launch(surroundings, rows)
  const endsAt = performance.now() + MEASURED_MS
  const all = await until(
    'rows are dialled',
    async () => {
      const dials = await dialsOf(surroundings)
      return dials.length === rows || performance.now() > endsAt ? dials : null
    },
    2 * MEASURED_MS,
  )
  const dials = all.slice(Math.floor(all.length * WARM_UP_SHARE))
  const delays = await Promise.all(
    dials.map(async ({ order_id: orderId, attempt_number: number, at }) => {
      const attempt = await surroundings.stores.calls.findAttempt(orderId, number)
      return Date.parse(at) - (attempt?.admittedAt ?? Number.NaN)
    }),
  )
  const sorted = delays.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
  const [first, last] = [dials[0], dials.at(-1)].map((dial) => Date.parse(dial?.at ?? ''))
  const secs = ((last ?? Number.NaN) - (first ?? Number.NaN)) / 1_000
  return {
    callsPerSec,
    achievedPerSec: Math.round((dials.length / secs) * 10) / 10,
    dials: dials.length,
    ms: { p50: at(0.5), p99: at(0.99) },
  }
}

async function launch({ baseUrl, apiKey }: Surroundings, rows: number): Promise<void> {
  const api = apiClient({ baseUrl, key: apiKey })
  const settings = { name: 'Ava', prompt: 'You are Ava from Northwind Dental.' }
  const { assistant } = await succeeded(api.createAssistant({ body: settings }))
  const contacts = Array.from({ length: rows }, (_, index) => ({
    to_phone_number: `+1202556${String(index).padStart(4, '0')}`,
    prompt_variables: {},
  }))
  const body = {
    assistant_id: assistant.id,
    name: 'Spring',
    contacts,
    call_retry_config: alwaysOpen(1),
  }
  await succeeded(api.createCampaign({ body }))
}

/** Oldest first. */
async function dialsOf({ localUrl }: Surroundings): Promise<readonly CarrierCall[]> {
  const answer = await fetch(`${localUrl}/carrier/calls`)
  return ((await answer.json()) as { readonly calls: CarrierCall[] }).calls
}
