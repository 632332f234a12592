import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { EMPTY_PLAYOUT, stepPlayout } from '#voice/media/playout-clock.ts'
import type { PlayoutAction, PlayoutInput } from '#voice/media/playout-clock.ts'

/** Plays inputs against the clock; `[atMs, input]`. */
function play(script: readonly (readonly [number, PlayoutInput])[]) {
  let state = EMPTY_PLAYOUT
  const actions: (PlayoutAction & { atMs: number })[] = []
  for (const [atMs, input] of script) {
    const step = stepPlayout(state, input, atMs)
    state = step.state
    actions.push(...step.actions.map((action) => ({ ...action, atMs })))
  }
  return { state, actions }
}

const queued = (speechId: string, text = 'one two three four'): PlayoutInput => ({
  type: 'queued',
  speechId,
  text,
})
const received = (speechId: string, ms: number): PlayoutInput => ({
  type: 'received',
  speechId,
  bytes: ms * 8,
  words: [],
})
const completed = (speechId: string): PlayoutInput => ({ type: 'completed', speechId })
const echoed = (mark: string): PlayoutInput => ({ type: 'echoed', mark })
const TICK: PlayoutInput = { type: 'ticked' }
const FLUSH: PlayoutInput = { type: 'flushed' }

const sends = <A extends PlayoutAction>(actions: readonly A[]) =>
  actions.filter((action) => action.type === 'send') as Extract<A, { type: 'send' }>[]

describe('sending', () => {
  it('runs at most 300 ms ahead, in pieces of 100 ms', () => {
    const { actions } = play([
      [0, queued('a')],
      [10, received('a', 1_000)],
      [90, TICK],
      [110, TICK],
    ])
    expect(sends(actions)).toMatchObject([
      { atMs: 10, fromByte: 0, toByte: 800, playsAtMs: 10, mark: 'a@800' },
      { atMs: 10, fromByte: 800, toByte: 1600, playsAtMs: 110 },
      { atMs: 10, fromByte: 1600, toByte: 2400, playsAtMs: 210 },
      { atMs: 110, fromByte: 2400, toByte: 3200, playsAtMs: 310 },
    ])
  })

  it('sends the first audio at once, however little, and then waits for whole pieces', () => {
    const { actions } = play([
      [0, queued('a')],
      [0, received('a', 20)],
      [5, received('a', 90)],
      [6, received('a', 40)],
      [7, completed('a')],
    ])
    expect(sends(actions).map(({ atMs, fromByte, toByte }) => [atMs, fromByte, toByte])).toEqual([
      [0, 0, 160],
      [5, 160, 880],
      [7, 880, 1200],
    ])
  })

  it('does not let a later speech overtake one whose synthesis is slow', () => {
    const { actions } = play([
      [0, queued('a')],
      [0, queued('b')],
      [1, received('b', 100)],
      [2, completed('b')],
      [50, received('a', 100)],
      [51, completed('a')],
    ])
    expect(sends(actions).map((action) => action.speechId)).toEqual(['a', 'b'])
  })

  it('never sends more than 300 ms ahead nor any byte twice, whatever the timing', () => {
    const step = fc.tuple(fc.nat(120), fc.constantFrom('receive', 'tick', 'echo'), fc.nat(400))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let [state, nowMs, next] = [stepPlayout(EMPTY_PLAYOUT, queued('a'), 0).state, 0, 0]
        for (const [passed, kind, ms] of steps) {
          nowMs += passed
          const mark = state.pieces[0]?.mark ?? 'none'
          const input =
            kind === 'receive' ? received('a', ms) : kind === 'echo' ? echoed(mark) : TICK
          const result = stepPlayout(state, input, nowMs)
          state = result.state
          for (const piece of sends(result.actions)) {
            expect(piece.fromByte).toBe(next)
            next = piece.toByte
            expect(piece.toByte - piece.fromByte).toBeLessThanOrEqual(800)
          }
          expect(state.playsUntilMs - nowMs).toBeLessThanOrEqual(300)
        }
      }),
    )
  })
})

describe('hearing', () => {
  it('tells when a speech starts and when all of it was heard', () => {
    const { actions, state } = play([
      [0, queued('a')],
      [0, received('a', 150)],
      [0, completed('a')],
      [100, echoed('a@800')],
      [160, echoed('a@1200')],
    ])
    expect(actions.filter(({ type }) => type !== 'send')).toEqual([
      { type: 'started', speechId: 'a', atMs: 0 },
      { type: 'done', speechId: 'a', atMs: 160 },
    ])
    expect(state.speeches).toEqual([])
  })

  it('starts the next speech only when the one before was heard', () => {
    const { actions } = play([
      [0, queued('a')],
      [0, queued('b')],
      [0, received('a', 100)],
      [0, completed('a')],
      [0, received('b', 100)],
      [0, completed('b')],
      [100, echoed('a@800')],
      [200, echoed('b@800')],
    ])
    expect(actions.map(({ type, atMs }) => `${type} ${atMs}`)).toEqual([
      'send 0',
      'started 0',
      'send 0',
      'done 100',
      'started 100',
      'done 200',
    ])
  })

  it('takes a mark that never comes for heard after two seconds', () => {
    const { actions } = play([
      [0, queued('a')],
      [0, received('a', 100)],
      [0, completed('a')],
      [2_099, TICK],
      [2_100, TICK],
    ])
    expect(actions.at(-1)).toEqual({ type: 'done', speechId: 'a', atMs: 2_100 })
  })

  it('is done at once with a speech without audio', () => {
    const { actions } = play([
      [0, queued('a')],
      [5, completed('a')],
    ])
    expect(actions).toEqual([{ type: 'done', speechId: 'a', atMs: 5 }])
  })

  it('ignores what belongs to no queued speech', () => {
    const { actions } = play([
      [0, received('x', 100)],
      [0, completed('x')],
      [0, echoed('x@800')],
      [0, TICK],
    ])
    expect(actions).toEqual([])
  })
})

describe('flushing', () => {
  const speech = [
    [0, queued('a')],
    [0, received('a', 400)],
    [0, completed('a')],
    [100, echoed('a@800')],
  ] as const

  it('clears the carrier and keeps what was heard', () => {
    const { actions, state } = play([...speech, [150, FLUSH]])
    expect(actions.slice(-2)).toEqual([
      { type: 'clear', heardUntilMs: 150, atMs: 150 },
      { type: 'cut', speechId: 'a', heardText: 'one', heardMs: 150, atMs: 150 },
    ])
    expect(state.speeches).toEqual([])
  })

  it('believes the marks, not the clock', () => {
    // 350 ms have passed, but the carrier has played 100 and is at most in the piece after that.
    const { actions } = play([...speech, [350, FLUSH]])
    expect(actions.slice(-2)).toMatchObject([
      { type: 'clear', heardUntilMs: 200 },
      { type: 'cut', heardText: 'one two' },
    ])
  })

  it('says nothing of a speech of which nothing was sent', () => {
    const { actions } = play([
      [0, queued('a')],
      [10, FLUSH],
      [20, received('a', 100)],
    ])
    expect(actions).toEqual([])
  })

  it('ignores the marks that the carrier returns for cleared audio', () => {
    const { actions } = play([
      ...speech,
      [150, FLUSH],
      [151, queued('b')],
      [152, echoed('a@1600')],
      [152, echoed('a@3200')],
      [153, received('b', 100)],
    ])
    expect(actions.slice(-2)).toMatchObject([
      { type: 'send', speechId: 'b', playsAtMs: 153 },
      { type: 'started', speechId: 'b' },
    ])
  })
})

describe('filling', () => {
  const FILLED: PlayoutInput = { type: 'filled', isFilled: true }
  const fills = (actions: readonly PlayoutAction[]) =>
    actions.filter((action) => action.type === 'fill').map(({ playsAtMs }) => playsAtMs)

  it('runs 100 ms ahead in steps of 20 ms, as long as it is wanted', () => {
    const { actions } = play([
      [0, FILLED],
      [20, TICK],
      [65, TICK],
      [70, { type: 'filled', isFilled: false }],
      [200, TICK],
    ])
    expect(fills(actions)).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160])
    expect(sends(actions)).toEqual([])
  })

  it('gives way to speech at once', () => {
    const { actions } = play([
      [0, FILLED],
      [10, queued('a')],
      [10, received('a', 300)],
    ])
    expect(actions.filter(({ type }) => type === 'clear')).toMatchObject([{ heardUntilMs: 10 }])
    expect(sends(actions).map(({ playsAtMs }) => playsAtMs)).toEqual([10, 110, 210])
  })

  it('closes the gaps of a voice that is slow, after what is still to be heard', () => {
    const { actions } = play([
      [0, FILLED],
      [0, queued('a')],
      [0, received('a', 40)],
      [20, TICK],
      [30, received('a', 50)],
      [50, echoed('a@320')],
      [90, TICK],
      [200, received('a', 100)],
    ])
    const order = actions.map((action) =>
      'playsAtMs' in action ? `${action.type} ${action.playsAtMs}` : action.type,
    )
    expect(order.filter((line) => !line.startsWith('started'))).toEqual([
      'fill 0',
      'fill 20',
      'fill 40',
      'fill 60',
      'fill 80',
      'clear',
      'send 0',
      'fill 40',
      'fill 60',
      'fill 80',
      'fill 100',
      'send 120',
      'fill 170',
      'send 200',
    ])
  })

  it('goes on after a flush where the carrier is', () => {
    const idle = play([
      [0, FILLED],
      [30, FLUSH],
      [31, TICK],
    ])
    expect(fills(idle.actions)).toEqual([0, 20, 40, 60, 80, 100, 120])
    const speaking = play([
      [0, FILLED],
      [0, queued('a')],
      [0, received('a', 400)],
      [150, FLUSH],
      [151, TICK],
    ])
    expect(fills(speaking.actions).slice(-5)).toEqual([151, 171, 191, 211, 231])
  })
})
