import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { STRUCTURED_OUTPUT_TYPES, type StructuredOutputField } from '#shared/domain/assistant.ts'
import { readConclusion } from '#shared/domain/conclusion/read-conclusion.ts'

const GOOD = { outcome: 'interested', outcome_summary: ' They agreed. ' }
const NOTHING = { outcome: null, outcomeSummary: null, structuredOutput: null }

function field(
  type: StructuredOutputField['type'],
  rest: Partial<StructuredOutputField> = {},
): StructuredOutputField {
  return { name: 'f', type, required: false, ...rest }
}

describe('readConclusion', () => {
  it.each([
    ['plain', JSON.stringify(GOOD)],
    ['fenced', `\`\`\`json\n${JSON.stringify(GOOD, null, 2)}\n\`\`\``],
    ['with a remark', `Here you are: ${JSON.stringify(GOOD)} I hope it helps.`],
  ])('reads an answer that is %s', (_name, text) => {
    expect(readConclusion(text, null)).toEqual({
      outcome: 'interested',
      outcomeSummary: 'They agreed.',
      structuredOutput: null,
      problems: [],
    })
  })

  it.each(['', 'no', '{', '[1]', 'null', '{"a":1} and {"b":2}'])('gives nothing for %j', (text) => {
    expect(readConclusion(text, null)).toEqual({
      ...NOTHING,
      problems: ['answer: not a JSON object'],
    })
  })

  it('takes a null for a call of which nobody can tell', () => {
    const text = JSON.stringify({ ...GOOD, outcome: null })
    expect(readConclusion(text, null)).toMatchObject({ outcome: null, problems: [] })
  })

  it('keeps what is usable beside what is not', () => {
    const text = JSON.stringify({ outcome: 'great', outcome_summary: 7, structured_output: 'no' })
    expect(readConclusion(text, [field('string', { required: true }), field('number')])).toEqual({
      outcome: null,
      outcomeSummary: null,
      structuredOutput: { f: null },
      problems: ['outcome: not one of the options', 'outcome_summary: missing', 'f: missing'],
    })
  })

  it('cuts a summary that never ends', () => {
    const text = JSON.stringify({ ...GOOD, outcome_summary: 'x'.repeat(10_000) })
    expect(readConclusion(text, null).outcomeSummary).toHaveLength(2_000)
  })

  const options = { enumOptions: ['Red', 'Dark blue'] }
  it.each([
    [field('string'), 'a', 'a'],
    [field('string'), 5, '5'],
    [field('number'), 5, 5],
    [field('number'), ' -5.5 ', -5.5],
    [field('boolean'), true, true],
    [field('boolean'), 'No', false],
    [field('boolean'), 1, true],
    [field('enum', options), 'dark blue ', 'Dark blue'],
    [field('date'), '2028-02-29', '2028-02-29'],
    [field('date'), '2028-02-29T10:00:00Z', '2028-02-29'],
    [field('datetime'), '2026-03-04T09:30:00+01:00', '2026-03-04T09:30:00+01:00'],
    [field('datetime'), '2026-03-04T09:30', '2026-03-04T09:30'],
  ])('%j: %j becomes %j', (one, given, expected) => {
    const text = JSON.stringify({ ...GOOD, structured_output: { f: given, other: 1 } })
    expect(readConclusion(text, [one])).toMatchObject({
      structuredOutput: { f: expected },
      problems: [],
    })
  })

  it.each([
    [field('string'), ['a']],
    [field('number'), 'five'],
    [field('number'), '1e999'],
    [field('number'), true],
    [field('boolean'), 'perhaps'],
    [field('enum', options), 'green'],
    [field('enum'), 'red'],
    [field('date'), '2026-02-29'],
    [field('date'), '2026-13-01'],
    [field('date'), '2026-04-31'],
    [field('date'), 'Tuesday'],
    [field('date'), 20260401],
    [field('datetime'), '2026-04-01'],
    [field('datetime'), '2026-04-01T25:00:00Z'],
  ])('%j: %j is dropped with a problem', (one, given) => {
    const text = JSON.stringify({ ...GOOD, structured_output: { f: given } })
    const conclusion = readConclusion(text, [one])
    expect(conclusion.structuredOutput).toEqual({ f: null })
    expect(conclusion.problems).toEqual([`f: not a ${one.type}`])
  })

  it.each([null, '', undefined])('%j is a problem only where a value is required', (given) => {
    const text = JSON.stringify({ ...GOOD, structured_output: { f: given } })
    expect(readConclusion(text, [field('string')]).problems).toEqual([])
    expect(readConclusion(text, [field('string', { required: true })]).problems).toEqual([
      'f: missing',
    ])
  })

  it('never throws, and gives every configured field', () => {
    const anyField = fc.record({
      name: fc.constantFrom('a', 'b', '__proto__', 'constructor'),
      type: fc.constantFrom(...STRUCTURED_OUTPUT_TYPES),
      required: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(anyField), fc.json(), fc.string(), (config, json, noise) => {
        const text = `${noise}{"outcome":"x","structured_output":${json}}`
        const { structuredOutput } = readConclusion(text, config)
        const names = new Set(config.map(({ name }) => name))
        expect(new Set(Object.keys(structuredOutput ?? {}))).toEqual(names)
      }),
    )
  })
})
