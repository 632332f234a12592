import { describe, expect, it } from 'vitest'

import { planDial } from '#infra/local/carrier/test-numbers.ts'

import { CLIP_MS, play, type PlayOptions } from './stage.ts'

/** The person or machine behind a test number. */
function calleeOf(to: string, dialsBefore = 0) {
  const plan = planDial(to, dialsBefore)
  if (plan.kind !== 'answers') throw new Error(`${to} does not answer`)
  return plan.callee
}

const call = (to: string, scene: Omit<PlayOptions, 'callee'>) =>
  play({ callee: calleeOf(to), ...scene })

/** `count` turns of the agent, a second each, with `everyMs` from start to start. */
const turns = (count: number, everyMs: number, fromMs = 3_000) =>
  Array.from({ length: count }, (_, i): readonly [number, number] => [
    fromMs + i * everyMs,
    fromMs + i * everyMs + 1_000,
  ])

describe('planDial', () => {
  it.each([
    ['+12025550101', { kind: 'fails', sipCode: 486, endedBy: 'callee' }],
    ['+12025550102', { kind: 'ringsOut' }],
    ['+12025550103', { kind: 'fails', sipCode: 480, endedBy: 'carrier' }],
    ['+12025550104', { kind: 'fails', sipCode: 404, endedBy: 'carrier' }],
    ['+12025550111', { kind: 'ringsOut' }],
  ])('%s is not answered', (to, plan) => {
    expect(planDial(to, 0)).toEqual(plan)
  })

  it.each(['0100', '0105', '0106', '0107', '0117', '0108', '0109', '0110', '0113', '0199'])(
    '+1202555%s answers after two rings, at every dial',
    (line) => {
      for (const dialsBefore of [0, 1, 2]) {
        expect(planDial(`+1202555${line}`, dialsBefore)).toMatchObject({
          kind: 'answers',
          afterMs: 2_000,
        })
      }
    },
  )

  it('0111 answers at the second dial, as 0100 does', () => {
    const scene = { agent: turns(1, 4_000), forMs: 5_000 }
    expect(play({ callee: calleeOf('+12025550111', 1), ...scene })).toEqual(
      call('+12025550100', scene),
    )
  })
})

describe.each(['+12025550100', '+4915112345678'])('%s', (to) => {
  it('converses turn by turn, says goodbye, and hangs up when the agent does not', () => {
    expect(call(to, { agent: turns(5, 4_000), forMs: 60_000 })).toEqual([
      { atMs: 380, what: 'hello' },
      { atMs: 4_580, what: 'yes_speaking' },
      { atMs: 8_580, what: 'sounds_good' },
      { atMs: 12_580, what: 'tuesday_morning' },
      { atMs: 16_580, what: 'no_thats_all' },
      { atMs: 20_580, what: 'goodbye' },
      { atMs: 20_580 - 20 + CLIP_MS + 1_500, what: 'hangs up' },
    ])
  })

  it('says goodbye as soon as the agent did', () => {
    const scene = { agent: turns(1, 4_000), words: { 3_900: 'Goodbye!' }, forMs: 10_000 }
    expect(call(to, scene).map(({ what }) => what)).toEqual(['hello', 'goodbye', 'hangs up'])
  })

  it('does not greet over an agent who speaks first, and answers it', () => {
    expect(call(to, { agent: [[200, 2_000]], forMs: 5_000 })).toEqual([
      { atMs: 2_580, what: 'yes_speaking' },
    ])
  })

  it('answers an agent who began during the greeting and went on', () => {
    expect(call(to, { agent: [[600, 3_000]], forMs: 6_000 })).toEqual([
      { atMs: 380, what: 'hello' },
      { atMs: 3_580, what: 'yes_speaking' },
    ])
  })

  it('does not answer a remark made under its own sentence', () => {
    const agent = [[3_000, 4_000] as const, [4_700, 5_000] as const]
    expect(call(to, { agent, forMs: 20_000 }).map(({ what }) => what)).toEqual([
      'hello',
      'yes_speaking',
    ])
  })

  it('says goodbye once, whatever the agent still says', () => {
    const agent = [...turns(5, 4_000), [21_900, 22_200] as const]
    expect(call(to, { agent, forMs: 60_000 }).slice(-2)).toEqual([
      { atMs: 20_580, what: 'goodbye' },
      { atMs: 23_060, what: 'hangs up' },
    ])
  })

  it('takes a short pause of the agent for part of its turn', () => {
    const agent = [[3_000, 4_000] as const, [4_400, 6_000] as const]
    expect(call(to, { agent, forMs: 10_000 })).toEqual([
      { atMs: 380, what: 'hello' },
      { atMs: 6_580, what: 'yes_speaking' },
    ])
  })

  it('waits for an agent who says nothing, five minutes at most', () => {
    expect(call(to, { forMs: 400_000 })).toEqual([
      { atMs: 380, what: 'hello' },
      { atMs: 299_980, what: 'hangs up' },
    ])
  })
})

describe('+12025550105, a voicemail', () => {
  const greeting = { atMs: 280, what: 'voicemail_greeting' }
  const recordsFromMs = 260 + 2 * CLIP_MS

  it('hangs up three seconds after the beep when nothing is said', () => {
    expect(call('+12025550105', { forMs: 30_000 })).toEqual([
      greeting,
      { atMs: recordsFromMs + 3_000, what: 'hangs up' },
    ])
  })

  it('hangs up three seconds after the message', () => {
    expect(call('+12025550105', { agent: [[4_000, 9_000]], forMs: 30_000 })).toEqual([
      greeting,
      { atMs: 11_980, what: 'hangs up' },
    ])
  })

  it('records twenty seconds at most', () => {
    expect(call('+12025550105', { agent: [[0, 60_000]], forMs: 60_000 })).toEqual([
      greeting,
      { atMs: recordsFromMs + 20_000, what: 'hangs up' },
    ])
  })
})

describe('+12025550108, called at a bad moment', () => {
  it('asks to be called back, names a time, and says goodbye', () => {
    const happenings = call('+12025550108', { agent: turns(3, 4_000), forMs: 60_000 })
    expect(happenings.map(({ what }) => what)).toEqual([
      'hello',
      'call_me_later',
      'tomorrow_at_three',
      'goodbye',
      'hangs up',
    ])
    expect(happenings[1]).toEqual({ atMs: 4_480, what: 'call_me_later' })
  })
})

describe('+12025550109, who interrupts', () => {
  it('interrupts a long utterance once, agrees aloud later, and converses otherwise', () => {
    const agent = [
      [3_000, 4_800], // gives way to the interruption
      [6_000, 7_000],
      [9_000, 12_000], // hears mm-hm and goes on
      [14_000, 16_000],
    ] as const
    expect(call('+12025550109', { agent, forMs: 20_000 })).toEqual([
      { atMs: 380, what: 'hello' },
      { atMs: 4_180, what: 'wait_a_moment' },
      { atMs: 7_380, what: 'yes_speaking' },
      { atMs: 10_180, what: 'mm_hm' },
      { atMs: 12_380, what: 'sounds_good' },
      { atMs: 16_380, what: 'tuesday_morning' },
    ])
  })

  it('waits for an answer to its interruption, also when the agent gives way late', () => {
    const agent = [[3_000, 5_300] as const] // the interruption is over at 5,160
    expect(call('+12025550109', { agent, forMs: 20_000 }).map(({ what }) => what)).toEqual([
      'hello',
      'wait_a_moment',
    ])
  })

  it('answers an agent who ends right after the mm-hm', () => {
    const agent = [
      [3_000, 4_800],
      [6_000, 8_300], // the mm-hm is over at 8,160
    ] as const
    expect(call('+12025550109', { agent, forMs: 20_000 }).slice(2)).toEqual([
      { atMs: 7_180, what: 'mm_hm' },
      { atMs: 8_680, what: 'yes_speaking' },
    ])
  })

  it('lets short utterances pass', () => {
    const happenings = call('+12025550109', { agent: turns(2, 4_000), forMs: 12_000 })
    expect(happenings.map(({ what }) => what)).toEqual(['hello', 'yes_speaking', 'sounds_good'])
  })

  it('takes no turn with a mm-hm that outlasts the agent', () => {
    const agent = [
      [3_000, 4_800],
      [6_000, 7_300], // ends during the mm-hm, which is over at 8,200
    ] as const
    expect(call('+12025550109', { agent, forMs: 20_000 }).slice(2)).toEqual([
      { atMs: 7_180, what: 'mm_hm' },
      { atMs: 8_560, what: 'yes_speaking' },
    ])
  })
})

describe('+12025550110 and +12025550113', () => {
  it('0110 hangs up two seconds after answering', () => {
    expect(call('+12025550110', { forMs: 10_000 })).toEqual([
      { atMs: 380, what: 'hello' },
      { atMs: 1_980, what: 'hangs up' },
    ])
  })

  it('0113 says nothing, whatever is asked', () => {
    expect(call('+12025550113', { agent: turns(6, 4_000), forMs: 40_000 })).toEqual([])
  })
})
