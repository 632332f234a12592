import { Temporal } from 'temporal-polyfill'

import {
  WEEKDAYS,
  type CallingWindow,
  type CallRetryConfig,
  type Weekday,
} from '#shared/domain/retry/call-retry-config.ts'
import { MINUTE_MS } from '#shared/domain/time.ts'
import type { ServiceLimits } from '#shared/ports/service-ports.ts'

import { anyFaults, type Faults } from './faults.ts'
import { Prng } from './prng.ts'

/** Everything that is decided before the world begins to turn: a failing one can be made smaller. */
export interface Scenario {
  readonly seed: number
  /** Epoch ms. */
  readonly startAt: number
  readonly faults: Faults
  readonly trunk: ServiceLimits['trunk']
  readonly owners: readonly Owner[]
  readonly actions: readonly Action[]
}

/** An organization. Both call the same people. */
export interface Owner {
  readonly id: string
  readonly cap: number
  readonly fromPhoneNumber: string
  /** Told of every call, beside what its assistants say. */
  readonly hasEndpoint: boolean
}

/** What an owner does. Its id stays when others are left out. */
export type Action = { readonly id: number; readonly owner: number } & Deed

export type Deed =
  | ({ readonly kind: 'placeCall'; readonly atMs: number } & CallAction)
  | ({ readonly kind: 'createCampaign'; readonly atMs: number } & CampaignAction)
  | {
      readonly kind: 'suppress' | 'allow'
      readonly atMs: number
      readonly phoneNumber: string
    }
  /** What is asked for so long after something has become of another action. */
  | {
      readonly kind: 'change'
      readonly what: Change
      readonly of: number
      readonly after: Occasion
      readonly afterMs: number
    }

export type Change = 'cancel' | 'pause' | 'resume' | 'delete' | 'suppress' | 'pry'

/** The action was answered; an order of it was admitted; a call of it has ended. */
export type Occasion = 'answered' | 'calling' | 'post_processing'

export interface CallAction {
  readonly to: string
  readonly retryConfig: CallRetryConfig
  /** The contact's `timezone` variable. */
  readonly timeZone: string | null
  readonly concurrency: { readonly key: string; readonly max: number } | null
  readonly forceNow: boolean
  readonly scheduledInMs: number | null
  readonly hasWebhook: boolean
}

export interface CampaignAction {
  readonly contacts: readonly { readonly to: string; readonly timeZone: string | null }[]
  readonly assistantConfig: CallRetryConfig
  readonly retryConfig: CallRetryConfig | null
  readonly maxConcurrentCalls: number | null
  readonly scheduledInMs: number | null
  readonly hasWebhook: boolean
}

/** Around a change of clocks in Europe, America and Australia, where mistakes live. */
const STARTS = [
  '2026-10-23T06:00:00Z',
  '2026-10-30T12:00:00Z',
  '2027-03-12T18:00:00Z',
  '2027-03-27T22:00:00Z',
  '2027-04-02T20:00:00Z',
  '2026-06-15T00:00:00Z',
]

const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC']

/** Few, so that orders for the same person meet; some of them may be in several zones. */
const NUMBERS = [
  '+12025550100',
  '+12025550101',
  '+12025550102',
  '+12085550103',
  '+18005550104',
  '+493012345605',
]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The scenario of a seed; always the same. */
export function planScenario(seed: number): Scenario {
  const random = new Prng(seed)
  const startAt = Date.parse(random.pick(STARTS))
  const faults = anyFaults(random.branch())
  const owners = ['org_one', 'org_two'].map((id, index) => ({
    id,
    cap: random.between(1, 3),
    fromPhoneNumber: `+1202555019${index}`,
    hasEndpoint: random.chance(0.3),
  }))
  const trunk = { id: 'trunk', maxConcurrentCalls: random.between(1, 4), callsPerSecond: 1 }
  const deeds = [
    ...severalTimes(random, [3, 8], () => aCall(random, startAt)),
    ...severalTimes(random, random.chance(0.85) ? [1, 2] : [0, 0], () =>
      aCampaign(random, startAt),
    ),
    ...severalTimes(random, random.chance(0.5) ? [1, 3] : [0, 0], () => aSuppression(random)),
  ].map((deed) => ({ ...deed, owner: random.chance(0.7) ? 0 : 1 }))
  const actions: Action[] = []
  const add = (deed: Deed & { readonly owner: number }) => {
    const action: Action = { ...deed, id: actions.length }
    actions.push(action)
    return action
  }
  for (const deed of deeds) {
    const action = add(deed)
    if (action.kind === 'placeCall' || action.kind === 'createCampaign') {
      const { owner } = action
      let before = action.id
      for (const { isNext, ...change } of changesOf(random, action)) {
        const of = isNext ? before : action.id
        before = add({ ...change, kind: 'change', of, owner }).id
      }
    }
  }
  return { seed, startAt, faults, trunk, owners, actions }
}

function severalTimes<T>(random: Prng, [from, to]: readonly [number, number], make: () => T): T[] {
  return Array.from({ length: random.between(from, to) }, make)
}

/** Most things happen within minutes, where the races are; some during the day that follows. */
function someTime(random: Prng): number {
  return random.between(0, random.chance(0.7) ? 10 * MINUTE_MS : DAY_MS)
}

function aCall(random: Prng, startAt: number): Extract<Deed, { kind: 'placeCall' }> {
  const isLastMoment = random.chance(0.2)
  const anyMs = someTime(random)
  const nextMinuteMs = (Math.floor(anyMs / MINUTE_MS) + 1) * MINUTE_MS
  const atMs = isLastMoment ? nextMinuteMs - random.between(50, 800) : anyMs
  const scheduledInMs = random.chance(0.2) ? random.between(1, 86_400) * 1_000 : null
  const timeZone = random.chance(0.2) ? random.pick(ZONES) : null
  return {
    kind: 'placeCall',
    atMs,
    to: random.pick(NUMBERS),
    retryConfig: aRetryConfig(random, startAt + atMs, isLastMoment),
    timeZone,
    concurrency: random.chance(0.3) ? { key: 'key', max: random.between(1, 2) } : null,
    forceNow: scheduledInMs === null && random.chance(0.2),
    scheduledInMs,
    hasWebhook: random.chance(0.8),
  }
}

function aCampaign(random: Prng, startAt: number): Extract<Deed, { kind: 'createCampaign' }> {
  const atMs = someTime(random)
  const contact = () => ({
    to: random.chance(0.1) ? 'nobody' : random.chance(0.5) ? random.pick(NUMBERS) : someone(random),
    timeZone: random.chance(0.2) ? random.pick(ZONES) : null,
  })
  return {
    kind: 'createCampaign',
    atMs,
    contacts: [{ to: someone(random), timeZone: null }, ...severalTimes(random, [3, 12], contact)],
    assistantConfig: aRetryConfig(random, startAt + atMs),
    retryConfig: random.chance(0.5) ? aRetryConfig(random, startAt + atMs) : null,
    maxConcurrentCalls: random.chance(0.5) ? 1 : null,
    scheduledInMs: random.chance(0.2) ? random.between(1, 86_400) * 1_000 : null,
    hasWebhook: random.chance(0.5),
  }
}

function someone(random: Prng): string {
  return `+120255502${String(random.between(0, 99)).padStart(2, '0')}`
}

function aSuppression(random: Prng): Extract<Deed, { kind: 'suppress' | 'allow' }> {
  return {
    kind: random.chance(0.8) ? 'suppress' : 'allow',
    atMs: random.between(0, random.chance(0.7) ? 15 * MINUTE_MS : DAY_MS),
    phoneNumber: random.pick(NUMBERS),
  }
}

type PlannedChange = Pick<Extract<Deed, { kind: 'change' }>, 'what' | 'after' | 'afterMs'> & {
  /** After the change before, not after the beginning. */
  readonly isNext: boolean
}

/** Owners change their minds; most of the changes come where something else is going on. */
function changesOf(random: Prng, action: Action): PlannedChange[] {
  const change = (what: Change): PlannedChange => {
    const after = random.pick([
      'answered',
      'answered',
      'calling',
      'calling',
      'post_processing',
    ] as const)
    const soonMs = after === 'answered' ? 5_000 : 300
    const afterMs = random.between(1, random.chance(0.7) ? soonMs : 600_000)
    return { what, after, afterMs, isNext: false }
  }
  const next = (what: Change): PlannedChange => ({
    what,
    after: 'answered',
    afterMs: random.between(1, random.pick([400, 60_000, 20_000_000])),
    isNext: true,
  })
  return [
    ...(random.chance(0.2) ? [change('pry')] : []),
    ...(random.chance(0.3) ? [change('pause'), next('resume')] : []),
    ...(random.chance(0.3) ? [change('cancel')] : []),
    ...(random.chance(0.15) ? [change('suppress')] : []),
    ...(action.kind === 'createCampaign' && random.chance(0.25) ? [change('delete')] : []),
  ]
}

/**
 * Any windows, days and limits that an owner may choose; `at` is when they may begin to count, and
 * perhaps the last moment of a window.
 */
function aRetryConfig(random: Prng, at: number, isLastMoment = false): CallRetryConfig {
  const zone = random.pick(ZONES)
  const days: readonly Weekday[] = WEEKDAYS.filter(() => random.chance(0.8))
  return {
    allowedDays: days.length === 0 ? ['monday'] : days,
    callTwiceInARow: random.chance(0.3),
    callingWindows: severalTimes(random, [1, 2], () =>
      aWindow(random, minuteIn(zone, at), isLastMoment),
    ),
    maxRetryAttempts: random.between(1, 4),
    ...(random.chance(0.6) && { timezone: zone }),
  }
}

/** Any time of the day, or one that ends or begins a few minutes from now. */
function aWindow(random: Prng, nowMinute: number, isLastMoment: boolean): CallingWindow {
  const retryDelaySeconds = random.pick([0, 0.5, 60, 600, 7_200, 40_000])
  const written = (start: number, end: number) => ({
    callingWindowStartTime: timeOfDay(start),
    callingWindowEndTime: timeOfDay(end),
    retryDelaySeconds,
  })
  const lengthMinutes = random.between(30, 700)
  const soon = nowMinute + random.between(1, 12)
  if (isLastMoment) return written(nowMinute + 1 - lengthMinutes, nowMinute + 1)
  const kind = random.next()
  if (kind < 0.25) return written(soon - lengthMinutes, soon)
  if (kind < 0.4) return written(soon, soon + lengthMinutes)
  const start = random.between(0, 23) * 60
  return written(start, start + lengthMinutes)
}

function minuteIn(zone: string, at: number): number {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  return local.hour * 60 + local.minute
}

function timeOfDay(minute: number): string {
  const inDay = ((minute % 1_440) + 1_440) % 1_440
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(Math.floor(inDay / 60))}:${two(inDay % 60)}`
}
