import { describe, expect, it, test } from 'vitest'

import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { decideCampaign, newCampaign, type CampaignEvent } from '#shared/domain/campaign/decide.ts'
import { NO_ROWS } from '#shared/domain/campaign/row-stats.ts'
import { NOON } from '#test/support/an-order.ts'

const LATER = NOON + 3_600_000
const SCOPE = 'CMP#camp_1'

const draft = newCampaign(
  {
    id: 'camp_1',
    organizationId: 'org_1',
    assistantId: 'asst_1',
    assistantVersion: 1,
    name: 'Spring',
    callRetryConfig: null,
    fromPhoneNumber: null,
    maxConcurrentCalls: 10,
    scheduledAt: null,
    contacts: { key: 'file', count: 2_500 },
    isTest: true,
  },
  NOON,
)

const some = { ...draft.contacts, rows: 1_000, offset: 9_000 }
const all = { ...draft.contacts, rows: 2_500, offset: 20_000 }

const STATES = {
  importing: draft,
  importingForLater: { ...draft, scheduledAt: LATER },
  begun: { ...draft, contacts: some, status: 'running' },
  loaded: { ...draft, contacts: all, isImported: true, scheduledAt: LATER },
  running: { ...draft, contacts: all, isImported: true, status: 'running' },
  paused: { ...draft, contacts: all, isImported: true, status: 'paused' },
  cancelledDraft: { ...draft, isCancelled: true },
  cancelled: { ...draft, contacts: all, isImported: true, status: 'running', isCancelled: true },
  completed: { ...draft, contacts: all, isImported: true, status: 'completed' },
  deleted: { ...draft, contacts: all, isImported: true, deletedAt: NOON, rowsToFollow: 0 },
} satisfies Record<string, Campaign>

type State = keyof typeof STATES

const ended: CampaignEvent = {
  type: 'rowsChanged',
  stats: { ...NO_ROWS, completed: 2, failed: 1, total: 3 },
}

const firstRows: CampaignEvent = {
  type: 'rowsStored',
  rows: 1_000,
  offset: 9_000,
  isLast: false,
}
const lastRows: CampaignEvent = { type: 'rowsStored', rows: 2_500, offset: 20_000, isLast: true }

/** In which states an event changes what; in all others it is ignored. */
const TABLE: readonly [CampaignEvent, Partial<Record<State, Partial<Campaign>>>][] = [
  [
    firstRows,
    {
      importing: { status: 'running', isImported: false, contacts: some },
      importingForLater: { status: 'draft', isImported: false, contacts: some },
      begun: { status: 'running', isImported: false, contacts: some },
      cancelledDraft: { status: 'draft', isImported: false, contacts: some },
    },
  ],
  [
    lastRows,
    {
      importing: { status: 'running', isImported: true, contacts: all },
      importingForLater: { status: 'draft', isImported: true, contacts: all },
      begun: { status: 'running', isImported: true, contacts: all },
      cancelledDraft: { status: 'draft', isImported: true, contacts: all },
    },
  ],
  [{ type: 'due' }, {}],
  [
    { type: 'pause' },
    {
      begun: { status: 'paused', rowsToFollow: 0 },
      running: { status: 'paused', rowsToFollow: 0 },
    },
  ],
  [{ type: 'resume' }, { paused: { status: 'running', rowsToFollow: 0 } }],
  [
    { type: 'cancel' },
    {
      importing: { status: 'draft', isCancelled: true, rowsToFollow: 0 },
      importingForLater: { status: 'draft', isCancelled: true, rowsToFollow: 0 },
      begun: { status: 'running', isCancelled: true, rowsToFollow: 0 },
      loaded: { status: 'draft', isCancelled: true, rowsToFollow: 0 },
      running: { status: 'running', isCancelled: true, rowsToFollow: 0 },
      paused: { status: 'paused', isCancelled: true, rowsToFollow: 0 },
    },
  ],
  [
    { type: 'delete' },
    Object.fromEntries(
      Object.keys(STATES)
        .filter((state) => state !== 'deleted')
        .map((state) => [state, { deletedAt: NOON + 1, rowsToFollow: 0 }]),
    ),
  ],
  [
    { type: 'rowsMisled', from: 500 },
    {
      ...Object.fromEntries(Object.keys(STATES).map((state) => [state, { rowsToFollow: 500 }])),
      deleted: { rowsToFollow: 0 },
    },
  ],
  [{ type: 'rowsFollowed', upTo: 1_000 }, { deleted: { rowsToFollow: 1_000 } }],
  [{ type: 'rowsFollowed', upTo: null }, { deleted: { rowsToFollow: null } }],
  [
    ended,
    {
      loaded: { status: 'completed' },
      running: { status: 'completed' },
      paused: { status: 'completed' },
      cancelledDraft: { status: 'completed' },
      cancelled: { status: 'completed' },
    },
  ],
]

describe.each(TABLE)('$type', (event, transitions) => {
  test.each(Object.keys(STATES) as State[])('when %s', (state) => {
    const decision = decideCampaign(STATES[state], event, NOON + 1)
    const expected = transitions[state]
    expect(decision).toMatchObject(
      expected === undefined
        ? { kind: 'ignored' }
        : { kind: 'changed', campaign: { ...expected, version: 2, updatedAt: NOON + 1 } },
    )
  })
})

describe('its time', () => {
  const wakes = (campaign: Campaign, event: CampaignEvent, now: number) => {
    const decision = decideCampaign(campaign, event, now)
    return decision.kind === 'changed' ? decision.effects : null
  }

  it('begins a campaign that has rows, not before', () => {
    expect(decideCampaign(STATES.loaded, { type: 'due' }, LATER - 1).kind).toBe('ignored')
    const due = decideCampaign(STATES.loaded, { type: 'due' }, LATER)
    expect(due).toMatchObject({ kind: 'changed', campaign: { status: 'running' } })
    const withoutRows = STATES.importingForLater
    expect(decideCampaign(withoutRows, { type: 'due' }, LATER).kind).toBe('ignored')
  })

  it('has the dispatcher look when it runs, resumes, or will be due', () => {
    const wake = (at: number) => [{ kind: 'wakeScope', scope: SCOPE, at }]
    expect(wakes(STATES.importing, firstRows, NOON)).toEqual(wake(NOON))
    expect(wakes(STATES.importing, lastRows, NOON)).toEqual(wake(NOON))
    expect(wakes(STATES.importingForLater, firstRows, NOON)).toEqual([])
    expect(wakes(STATES.importingForLater, lastRows, NOON)).toEqual(wake(LATER))
    expect(wakes(STATES.importingForLater, lastRows, LATER)).toEqual(wake(LATER))
    expect(wakes(STATES.loaded, { type: 'due' }, LATER)).toEqual(wake(LATER))
    expect(wakes(STATES.paused, { type: 'resume' }, NOON)).toEqual(wake(NOON))
    expect(wakes(STATES.running, { type: 'pause' }, NOON)).toEqual([])
    expect(wakes(STATES.loaded, { type: 'cancel' }, NOON)).toEqual([])
    expect(wakes(STATES.cancelledDraft, lastRows, NOON)).toEqual([])
  })
})

it('does not take rows back that are stored', () => {
  expect(decideCampaign(STATES.begun, { ...firstRows, rows: 500 }, NOON).kind).toBe('ignored')
})

describe('the end', () => {
  const after = (campaign: Campaign, counters: Partial<typeof NO_ROWS>) =>
    decideCampaign(campaign, { type: 'rowsChanged', stats: { ...NO_ROWS, ...counters } }, NOON).kind

  it('comes when every row is terminal', () => {
    expect(after(STATES.running, { completed: 2, calling: 1, total: 3 })).toBe('ignored')
    expect(after(STATES.running, { completed: 2, pending: 1, total: 3 })).toBe('ignored')
    expect(after(STATES.running, { completed: 2, retry: 1, total: 3 })).toBe('ignored')
    expect(after(STATES.running, { completed: 2, failed: 1, total: 3 })).toBe('changed')
  })

  it('comes after a cancel when the calls in progress have ended', () => {
    expect(after(STATES.cancelled, { calling: 1, pending: 5, total: 6 })).toBe('ignored')
    expect(after(STATES.cancelled, { completed: 1, pending: 5, total: 6 })).toBe('changed')
  })
})
