/**
 * When a campaign will be done, before it begins: the real retry planner on a virtual clock, with
 * shares of contacts in place of single ones.
 */

import type { CallRetryConfig } from '../retry/call-retry-config.ts'
import { isOpen } from '../retry/calling-windows.ts'
import { planFirstAttempt, planNextAttempt } from '../retry/plan-next-attempt.ts'
import { DAY_MS, MINUTE_MS } from '../time.ts'

export interface ForecastInput {
  /** Contacts that are called in the same zones; see `groupContacts`. */
  readonly groups: readonly ContactGroup[]
  readonly retryConfig: CallRetryConfig
  readonly maxConcurrentCalls: number
  /** Dials per second that the trunk takes. */
  readonly callsPerSecond: number
  /** The share of dials that reach a person, from 0 to 1; whoever is not reached is retried. */
  readonly answerRate: number
  /** How long a dial keeps its place, from dialling to the end, in seconds. */
  readonly answeredSecs: number
  readonly unansweredSecs: number
  /** Epoch ms. */
  readonly startAt: number
}

export interface ContactGroup {
  /** IANA names; a call must be allowed in all of them. */
  readonly zones: readonly string[]
  readonly contacts: number
}

export interface Forecast {
  readonly contacts: number
  /** Epoch ms; null when it is not done within a year. */
  readonly finishedAt: number | null
  /** How many dials are expected, in all and by full hour (epoch ms). */
  readonly attempts: number
  readonly reached: number
  readonly callsPerHour: readonly { readonly hour: number; readonly calls: number }[]
}

const HOUR_MS = 60 * MINUTE_MS
/** Longer campaigns are not looked at to their end. */
const HORIZON_MS = 366 * DAY_MS
/** The shortest step is a minute; a campaign of months takes longer ones, so that none takes long. */
const STEPS_AIM = 6_000
/** Nobody is left when less than this is expected to be. */
const NOBODY = 0.5

/** So many expected contacts of a group that wait for the same attempt. */
interface Batch {
  readonly group: ContactGroup
  /** Attempts made. */
  readonly made: number
  readonly dueAt: number
  count: number
}

/** What may be expected of a campaign. The work is bounded whatever the number of contacts. */
export function forecastCampaign(input: ForecastInput): Forecast {
  const { groups, retryConfig: config, startAt } = input
  const line = new WaitingLine()
  for (const group of groups) {
    const plan = { config, zones: group.zones, notBefore: startAt, forceNow: false }
    line.add({ group, made: 0, dueAt: planFirstAttempt(plan), count: group.contacts })
  }
  const contacts = line.waiting
  const step = stepOf(input, contacts)
  const hours = new Map<number, number>()
  const run = { attempts: 0, reached: 0, lastAt: startAt }
  let at = startAt
  while (line.waiting >= NOBODY && at < startAt + HORIZON_MS) {
    at = Math.max(at, line.nextDueAt)
    const dials = dialStep(input, line, { at, ...step })
    run.attempts += dials
    run.reached += dials * input.answerRate
    if (dials > 0) {
      const hour = Math.floor(at / HOUR_MS) * HOUR_MS
      hours.set(hour, (hours.get(hour) ?? 0) + dials)
      run.lastAt = at + step.stepMs * Math.min(1, dials / step.dialsMax)
    }
    at += step.stepMs
  }
  const isDone = line.waiting < NOBODY
  const lastCallMs = Math.max(input.answeredSecs, input.unansweredSecs) * 1_000
  return {
    contacts,
    finishedAt: isDone ? Math.round(run.lastAt + lastCallMs) : null,
    attempts: Math.round(run.attempts),
    reached: Math.round(run.reached),
    callsPerHour: [...hours].map(([hour, calls]) => ({ hour, calls: Math.round(calls) })),
  }
}

interface Step {
  readonly stepMs: number
  /** How many dials find a free place within a step. */
  readonly dialsMax: number
}

function stepOf(input: ForecastInput, contacts: number): Step {
  const callMs = meanCallMs(input)
  const perMs = Math.min(input.maxConcurrentCalls / callMs, input.callsPerSecond / 1_000)
  const attemptsMax = Math.max(1, Math.floor(input.retryConfig.maxRetryAttempts))
  const workMs = (contacts * attemptsMax) / perMs
  const stepMs = Math.max(MINUTE_MS, Math.ceil(workMs / STEPS_AIM))
  return { stepMs, dialsMax: stepMs * perMs }
}

function meanCallMs({ answerRate, answeredSecs, unansweredSecs }: ForecastInput): number {
  return 1_000 * (answerRate * answeredSecs + (1 - answerRate) * unansweredSecs)
}

/** Dials what is due, the longest overdue first, and plans what follows. How many dials there were. */
function dialStep(
  input: ForecastInput,
  line: WaitingLine,
  { at, stepMs, dialsMax }: Step & { readonly at: number },
): number {
  const { retryConfig: config, answerRate } = input
  let dials = 0
  for (const batch of line.takeDue(at)) {
    const { group, made } = batch
    const { zones } = group
    if (!isOpen(config, zones, at)) {
      const dueAt = planFirstAttempt({ config, zones, notBefore: at, forceNow: false })
      line.add({ ...batch, dueAt })
      continue
    }
    const taken = Math.min(batch.count, dialsMax - dials)
    dials += taken
    if (taken < batch.count) line.add({ ...batch, count: batch.count - taken })
    const startedAt = at + (stepMs * Math.min(dials, dialsMax)) / dialsMax / 2
    const endedAt = startedAt + input.unansweredSecs * 1_000
    const last = {
      number: made + 1,
      startedAt,
      endedAt,
      result: null,
      dialError: 'no_answer',
    } as const
    const next = planNextAttempt({ config, zones, last, attemptsMade: made + 1, now: endedAt })
    if (taken > 0 && next.kind === 'retry') {
      const dueAt = Math.ceil(next.dueAt / stepMs) * stepMs
      line.add({ group, made: made + 1, dueAt, count: taken * (1 - answerRate) })
    }
  }
  return dials
}

/** Who waits, by due time. */
class WaitingLine {
  /** By due time; of equal ones the first that came. */
  readonly #batches: Batch[] = []
  #waiting = 0

  get waiting(): number {
    return this.#waiting
  }

  /** Epoch ms; Infinity when nobody waits. */
  get nextDueAt(): number {
    return this.#batches[0]?.dueAt ?? Infinity
  }

  add(batch: Batch): void {
    if (batch.count <= 0) return
    this.#waiting += batch.count
    let low = 0
    let high = this.#batches.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#batches[middle]?.dueAt ?? 0) <= batch.dueAt) low = middle + 1
      else high = middle
    }
    const before = this.#batches[low - 1]
    const isSame =
      before?.dueAt === batch.dueAt && before.group === batch.group && before.made === batch.made
    if (isSame) before.count += batch.count
    else this.#batches.splice(low, 0, batch)
  }

  takeDue(at: number): Batch[] {
    const index = this.#batches.findIndex(({ dueAt }) => dueAt > at)
    const due = this.#batches.splice(0, index === -1 ? this.#batches.length : index)
    for (const { count } of due) this.#waiting -= count
    return due
  }
}
