import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { EMPTY_TRANSCRIPT, readTokens } from '#shared/adapters/stt/soniox-transcript.ts'
import type { SttEvent } from '#shared/ports/speech-to-text.ts'

function read(...messages: readonly Readonly<Record<string, unknown>>[]): SttEvent[] {
  let transcript = EMPTY_TRANSCRIPT
  return messages.flatMap((message) => {
    const step = readTokens(transcript, message)
    transcript = step.transcript
    return step.events
  })
}

function token(text: string, startMs: number, endMs: number, isFinal = true): object {
  return { text, start_ms: startMs, end_ms: endMs, is_final: isFinal }
}

const end = { text: '<end>', is_final: true }

describe('tokens', () => {
  it('become interim texts, then one final text and the end of the turn', () => {
    expect(
      read(
        { tokens: [token('Hel', 100, 200, false)] },
        { tokens: [token('Hel', 100, 200), token('lo', 200, 300, false)] },
        { tokens: [token('lo', 200, 300), token(' you', 300, 500)] },
        { tokens: [end] },
      ),
    ).toEqual([
      { type: 'interim', text: 'Hel' },
      { type: 'interim', text: 'Hello' },
      { type: 'interim', text: 'Hello you' },
      { type: 'final', text: 'Hello you', startMs: 100, endMs: 500 },
      { type: 'endOfTurn' },
    ])
  })

  it('that are not final replace all that were not', () => {
    const events = read(
      { tokens: [token('two', 0, 100, false)] },
      { tokens: [token('too', 0, 100, false), token(' late', 100, 200, false)] },
    )
    expect(events.at(-1)).toEqual({ type: 'interim', text: 'too late' })
  })

  it('after an end belong to the next turn, also within one message', () => {
    expect(read({ tokens: [token('Yes.', 0, 100), end, token(' And', 900, 990, false)] })).toEqual([
      { type: 'final', text: 'Yes.', startMs: 0, endMs: 100 },
      { type: 'endOfTurn' },
      { type: 'interim', text: 'And' },
    ])
  })

  it('asked for are final without ending the turn', () => {
    expect(read({ tokens: [token('Yes', 0, 100)] }, { tokens: [{ text: '<fin>' }] })).toEqual([
      { type: 'interim', text: 'Yes' },
      { type: 'final', text: 'Yes', startMs: 0, endMs: 100 },
    ])
  })

  it('of somebody who goes on and on are final now and then, between two words', () => {
    const events = read(
      { tokens: [token('Long', 0, 4_900), token('er', 4_900, 5_200)] },
      { tokens: [token('ly', 5_200, 5_300), token(' so', 5_300, 5_500)] },
    )
    expect(events).toContainEqual({ type: 'final', text: 'Longerly', startMs: 0, endMs: 5_300 })
    expect(events.at(-1)).toEqual({ type: 'interim', text: 'so' })
  })

  it('lose no word, however they are cut into messages', () => {
    const text = 'one two three four five six seven'
    const cuts = fc.array(fc.integer({ min: 1, max: text.length - 1 }))
    fc.assert(
      fc.property(cuts, fc.integer({ min: 10, max: 2_000 }), (cuts, stepMs) => {
        const at = [...new Set([0, ...cuts, text.length])].toSorted((a, b) => a - b)
        const tokens = at
          .slice(0, -1)
          .map((from, i) => token(text.slice(from, at[i + 1]), i * stepMs, (i + 1) * stepMs))
        const events = read(...tokens.map((one) => ({ tokens: [one] })), { tokens: [end] })
        const finals = events.filter((event) => event.type === 'final')
        expect(finals.map((event) => event.text).join(' ')).toBe(text)
      }),
    )
  })

  it('that make no sense are left out', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (tokens, one) => {
        read({ tokens }, { tokens: [one, token('Yes', 0, 100)] })
      }),
    )
    expect(read({ tokens: [null, 7, {}, { text: 7 }] }, { tokens: 'x' }, {})).toEqual([])
  })
})
