import { planDial } from '#infra/local/carrier/test-numbers.ts'
import { Prng } from '#test/simulation/prng.ts'
import { apiClient, succeeded, type ApiClient } from '#test/support/api-client.ts'
import type { CallOrder } from '#test/support/generated/parley-client.ts'
import { alwaysOpen, webhookCall, type CarrierCall } from '#test/support/local-stack.ts'
import { MortalProcesses, type ProcessName } from '#test/support/processes/mortal-processes.ts'
import { startSurroundings, type Surroundings } from '#test/support/processes/surroundings.ts'
import { until } from '#test/support/until.ts'

import { LeaseWatch } from './lease-watch.ts'

const ATTEMPTS_MAX = 2
const RETRY_DELAY_SECS = 20
const ROWS_PER_PAGE = 100
const PATIENCE_MS = 1_800_000
/** By the last digit of a number: most people are not reached, the others have little time. */
const BEHAVIOURS = ['01', '10', '01', '02', '03', '10', '01', '02', '01', '04'] as const
const VICTIMS: readonly (readonly ProcessName[])[] = [
  ['functions'],
  ['runtime'],
  ['functions', 'runtime'],
]

export interface KillReport {
  readonly rows: number
  /** Who was killed, each time. */
  readonly kills: readonly string[]
  readonly dials: number
  /** Attempts that were dialled more than once, or while another call to the same person was up. */
  readonly dialled_twice: number
  /** Rows that did not come to their end, and ended ones whose owner was not told exactly once. */
  readonly lost: number
  readonly row_stats: Readonly<Record<string, number>>
  readonly permits_left: number
  /** The longest time, in the service's time, that a permit was held for nothing after a kill. */
  readonly longest_idle_permit_secs: number
  /** Whose permit that was. */
  readonly longest_idle_permit: string
  readonly speed: number
  readonly wall_secs: number
}

/**
 * Runs a campaign on the local service while its functions and its voice runtime are killed with
 * `kill -9` at random moments, and looks at what the carrier saw. Gives up after half an hour.
 */
export async function killCampaign(options: {
  readonly rows: number
  readonly kills: number
  readonly seed: number
  readonly speed: number
  readonly notice: (sentence: string) => void
}): Promise<KillReport> {
  const startedAt = performance.now()
  const processes: MortalProcesses = new MortalProcesses(() => surroundings.localUrl)
  const surroundings = await startSurroundings({
    speed: options.speed,
    functions: processes,
    planDial: (to, dialsBefore) =>
      planDial(`+120255501${BEHAVIOURS[Number(to.at(-1))] ?? '00'}`, dialsBefore),
  })
  const watch = new LeaseWatch({ endpoint: surroundings.databaseEndpoint, ...surroundings })
  try {
    await processes.start()
    const run = new Run({ surroundings, processes, watch, options })
    const report = await run.run()
    const wall_secs = Math.round((performance.now() - startedAt) / 1_000)
    return { ...report, speed: options.speed, wall_secs }
  } finally {
    await processes.stop()
    watch.close()
    await surroundings.stop()
  }
}

type Options = Parameters<typeof killCampaign>[0]

interface Stage {
  readonly surroundings: Surroundings
  readonly processes: MortalProcesses
  readonly watch: LeaseWatch
  readonly options: Options
}

class Run {
  readonly #stage: Stage
  readonly #api: ApiClient

  constructor(stage: Stage) {
    this.#stage = stage
    const { baseUrl, apiKey } = stage.surroundings
    this.#api = apiClient({ baseUrl, key: apiKey })
  }

  async run(): Promise<Omit<KillReport, 'speed' | 'wall_secs'>> {
    const { watch, options } = this.#stage
    const id = await this.#launch()
    const kills = await this.#killNowAndThen()
    await this.#watched('the campaign is over', async () => {
      const { status } = await this.#campaign(id)
      return status === 'completed' ? true : null
    })
    const rows = await this.#rows(id)
    await this.#watched('every owner was told', () => (this.#untold(rows) === 0 ? true : null))
    let permitsLeft = 0
    await this.#watched('every permit is back', (held) =>
      (permitsLeft = held) === 0 ? true : null,
    )
    const dials = await this.#dials()
    return {
      rows: options.rows,
      kills,
      dials: dials.length,
      dialled_twice: this.#stage.surroundings.repeatedDials() + twice(dials, rows),
      lost: options.rows - rows.filter(isFinal).length + this.#untold(rows),
      row_stats: (await this.#campaign(id)).row_stats ?? {},
      permits_left: permitsLeft,
      longest_idle_permit_secs: Math.round(watch.longestIdle.ms / 100) / 10,
      longest_idle_permit: watch.longestIdle.what,
    }
  }

  async #launch(): Promise<string> {
    const settings = {
      name: 'Ava',
      prompt: 'You are Ava from Northwind Dental. Offer a check-up.',
      webhook_url: this.#stage.surroundings.webhookInboxUrl,
      max_call_duration_secs: 20,
    }
    const { assistant } = await succeeded(this.#api.createAssistant({ body: settings }))
    const contacts = Array.from({ length: this.#stage.options.rows }, (_, index) => ({
      to_phone_number: `+1202556${String(index).padStart(4, '0')}`,
      prompt_variables: {},
    }))
    const created = await succeeded(
      this.#api.createCampaign({
        body: {
          assistant_id: assistant.id,
          name: 'Spring',
          contacts,
          call_retry_config: alwaysOpen(ATTEMPTS_MAX, RETRY_DELAY_SECS),
        },
      }),
    )
    return created.campaign.id
  }

  /** The carrier's dials say how far the campaign is; nobody knows what the processes do just then. */
  async #killNowAndThen(): Promise<string[]> {
    const { processes, watch, surroundings, options } = this.#stage
    const random = new Prng(options.seed)
    const moments = Array.from({ length: options.kills }, () => random.between(1, options.rows))
    const killed: string[] = []
    for (const dialled of moments.toSorted((one, other) => one - other)) {
      await processes.ready()
      await this.#watched(`dial ${dialled}`, async () =>
        (await this.#dials()).length >= dialled ? true : null,
      )
      const victims = random.pick(VICTIMS)
      await processes.kill(victims)
      watch.startAgain(surroundings.clock.now())
      killed.push(victims.join(' and '))
      options.notice(`killed after ${(await this.#dials()).length} dials: ${killed.at(-1)}`)
    }
    await processes.ready()
    return killed
  }

  /** Looks at the permits again and again until something has come. */
  #watched(
    what: string,
    look: (permitsHeld: number) => Promise<true | null> | true | null,
  ): Promise<true> {
    const { watch, surroundings } = this.#stage
    const lookAtAll = async () => {
      const dials = await this.#dials()
      return look(await watch.look(surroundings.clock.now(), dials))
    }
    return until(what, lookAtAll, PATIENCE_MS)
  }

  async #campaign(id: string) {
    return (await succeeded(this.#api.getCampaign({ path: { id } }))).campaign
  }

  async #rows(id: string): Promise<CallOrder[]> {
    const calls: CallOrder[] = []
    const pages = Math.ceil(this.#stage.options.rows / ROWS_PER_PAGE)
    for (let page = 1; page <= pages; page += 1) {
      const query = { page, page_size: ROWS_PER_PAGE }
      const { rows } = await succeeded(this.#api.listCampaignRows({ path: { id }, query }))
      calls.push(...rows.flatMap(({ call }) => call ?? []))
    }
    return calls
  }

  async #dials(): Promise<readonly CarrierCall[]> {
    const answer = await fetch(`${this.#stage.surroundings.localUrl}/carrier/calls`)
    return ((await answer.json()) as { readonly calls: CarrierCall[] }).calls
  }

  /** How many orders were not announced under exactly one id. */
  #untold(orders: readonly CallOrder[]): number {
    const ids = new Map<string, Set<string>>()
    for (const { body, headers } of this.#stage.surroundings.inbox.list()) {
      const { id } = webhookCall(body)
      ids.set(id, (ids.get(id) ?? new Set()).add(headers['webhook-id'] ?? ''))
    }
    return orders.filter(({ id }) => ids.get(id)?.size !== 1).length
  }
}

function isFinal({ status }: CallOrder): boolean {
  return status === 'completed' || status === 'errored'
}

/** Dials that should not have been. */
function twice(dials: readonly CarrierCall[], orders: readonly CallOrder[]): number {
  const known = new Set(orders.flatMap((order) => order.call_attempts.map(({ id }) => id)))
  const unknown = dials.filter(({ attempt_id: id }) => !known.has(id)).length
  const attempts = new Set(dials.map((dial) => `${dial.order_id} ${dial.attempt_number}`))
  const beside = Map.groupBy(dials, ({ to }) => to)
    .values()
    .flatMap((calls) =>
      calls
        .toSorted((one, other) => (one.at < other.at ? -1 : 1))
        .filter((call, index, sorted) => {
          const before = sorted[index - 1]
          return before !== undefined && (before.ended_at === null || before.ended_at > call.at)
        }),
    )
    .toArray().length
  return unknown + (dials.length - attempts.size) + beside
}
