import { describe, expect, it } from 'vitest'

import { planDial } from '#infra/local/carrier/test-numbers.ts'

import { play, type PlayOptions } from './stage.ts'

function call(to: string, scene: Omit<PlayOptions, 'callee'>): readonly string[] {
  const plan = planDial(to, 0)
  if (plan.kind !== 'answers') throw new Error(`${to} does not answer`)
  return play({ callee: plan.callee, ...scene }).map(({ what }) => what)
}

describe('0106, a phone menu', () => {
  const menu = '+12025550106'

  it('leads through two levels to a person', () => {
    expect(call(menu, { keys: { 2_000: '1', 5_000: '2' }, forMs: 12_000 })).toEqual([
      'menu',
      'menu_orders',
      'menu_sales',
      'colleague_hello',
    ])
  })

  it('leads to a person at once from support, who then talks', () => {
    const scene = { keys: { 2_000: '2' }, agent: [[9_000, 10_000]] as const, forMs: 13_000 }
    expect(call(menu, scene)).toEqual(['menu', 'menu_sales', 'colleague_hello', 'yes_speaking'])
  })

  it('says so when a key leads nowhere, and asks again', () => {
    expect(call(menu, { keys: { 2_000: '7' }, forMs: 6_000 })).toEqual([
      'menu',
      'menu_invalid',
      'menu',
    ])
  })

  it('repeats itself to a caller who presses nothing, then hangs up', () => {
    expect(call(menu, { agent: [[3_000, 4_000]], forMs: 60_000 })).toEqual([
      'menu',
      'menu',
      'menu',
      'menu',
      'hangs up',
    ])
  })
})

describe('0107, call screening', () => {
  const screening = '+12025550107'

  it('puts a caller through who says who they are', () => {
    expect(call(screening, { agent: [[2_500, 4_500]], forMs: 15_000 })).toEqual([
      'screening',
      'screening_wait',
      'hello',
    ])
  })

  it('lets the person talk from then on', () => {
    const agent = [
      [2_500, 4_500],
      [13_000, 14_000],
    ] as const
    expect(call(screening, { agent, forMs: 17_000 }).slice(2)).toEqual(['hello', 'yes_speaking'])
  })

  it.each([
    ['says nothing', []],
    ['only clears their throat', [[2_500, 2_900]]],
  ] as const)('refuses a caller who %s', (_name, agent) => {
    expect(call(screening, { agent, forMs: 20_000 })).toEqual([
      'screening',
      'not_available',
      'hangs up',
    ])
  })

  it('0117 listens, and refuses everybody', () => {
    expect(call('+12025550117', { agent: [[2_500, 4_500]], forMs: 20_000 })).toEqual([
      'screening',
      'screening_wait',
      'not_available',
      'hangs up',
    ])
  })
})
