import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import type { Span } from '#shared/ports/traces.ts'
import { holdAgain, readHistory } from '#voice/session/call-history.ts'
import { CallTracer } from '#voice/session/call-tracer.ts'

function traced(name: string): readonly Span[] {
  const file = new URL(`histories/${name}.history.jsonl`, import.meta.url)
  const tracer = new CallTracer()
  for (const { event, commands } of holdAgain(readHistory(readFileSync(file, 'utf8')))) {
    if (event !== null) tracer.note(event, commands)
  }
  return tracer.finish({ 'call.result': 'human' })
}

describe('the trace of a call', () => {
  it.each(['person', 'interruption', 'realtime', 'menu'])('%s has every turn', (name) => {
    const spans = traced(name)
    const [call, ...others] = spans
    expect(call).toMatchObject({ name: 'call', parent: null, startAtMs: 0 })
    expect(call?.attributes).toEqual({ 'call.result': 'human' })
    const turns = others.filter((span) => span.name === 'agent turn')
    expect(turns.length).toBeGreaterThan(2)
    for (const span of others) {
      expect(span.endAtMs).toBeGreaterThanOrEqual(span.startAtMs)
      expect(spans[span.parent ?? -1]?.name).toBe(
        span.name.endsWith('turn') ? 'call' : 'agent turn',
      )
    }
    for (const turn of turns) {
      const audible = turn.events.find((event) => event.name === 'audible')
      expect(audible?.atMs).toBeGreaterThanOrEqual(turn.startAtMs)
    }
  })

  it('tells what the model and the voice took', () => {
    const spans = traced('person')
    const llm = spans.filter(({ name }) => name === 'llm')
    expect(llm.length).toBeGreaterThan(2)
    expect(llm.some(({ events }) => events.some(({ name }) => name === 'first_token'))).toBe(true)
    const speech = spans.find(({ name }) => name === 'speech')
    expect(speech?.attributes['tts.ttfb_ms']).toBeTypeOf('number')
    expect(speech?.events.map(({ name }) => name)).toEqual(['first_audio', 'audible'])
  })

  it('marks what was cut, and repeats no word of anybody', () => {
    const spans = traced('interruption')
    expect(spans.some(({ attributes }) => attributes['turn.was_cut'] === true)).toBe(true)
    expect(JSON.stringify(spans)).not.toMatch(/Northwind|question|Tuesday/)
  })
})
