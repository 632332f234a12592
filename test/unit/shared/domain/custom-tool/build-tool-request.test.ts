import { describe, expect, test } from 'vitest'

import type { CustomTool } from '#shared/domain/assistant.ts'
import { buildToolRequest } from '#shared/domain/custom-tool/build-tool-request.ts'

const TOOL: CustomTool = {
  name: 'book',
  description: 'Books.',
  method: 'POST',
  url: 'https://api.example.com/slots',
  headers: [],
  queryParams: [],
  bodyTemplate: null,
  inputSchema: [],
}
const VARIABLES = { first_name: 'Zoë', quote: '"', lines: 'a\nb\tc', empty: '', path: 'a/b?c&d#e' }

const build = (tool: Partial<CustomTool>, given: unknown = {}) =>
  buildToolRequest({ ...TOOL, ...tool }, JSON.stringify(given), VARIABLES)

function request(tool: Partial<CustomTool>, given: unknown = {}) {
  const built = build(tool, given)
  if (built.kind === 'refused') throw new Error(built.reason)
  return built.request
}

describe('body', () => {
  test.each<[string, string, unknown, string]>([
    ['a plain template', '{ "a": 1, "b": [true, null] }', {}, '{"a":1,"b":[true,null]}'],
    ['a variable of the call', '{"name": "{{first_name}}"}', {}, '{"name":"Zoë"}'],
    ['an argument wins over it', '{"n": "{{first_name}}"}', { first_name: 'Al' }, '{"n":"Al"}'],
    ['a quote', '{"q": "{{quote}}"}', {}, String.raw`{"q":"\""}`],
    ['a quote in a sentence', '{"q": "say {{quote}}!"}', {}, String.raw`{"q":"say \"!"}`],
    ['newline and tab', '{"l": "{{lines}}"}', {}, String.raw`{"l":"a\nb\tc"}`],
    ['a backslash', '{"b": "{{b}}"}', { b: 'C:\\x' }, String.raw`{"b":"C:\\x"}`],
    ['an emoji', '{"e": "{{e}}"}', { e: '👋🏽' }, '{"e":"👋🏽"}'],
    ['half of a surrogate pair', '{"e": "{{e}}"}', { e: '\ud83d' }, String.raw`{"e":"\ud83d"}`],
    ['a line separator', '{"e": "{{e}}"}', { e: '\u2028' }, '{"e":"\u2028"}'],
    ['braces inside a value', '{"v": "{{v}}"}', { v: '{{first_name}}' }, '{"v":"{{first_name}}"}'],
    ['JSON inside a value', '{"v": "{{v}}"}', { v: '","x":"' }, String.raw`{"v":"\",\"x\":\""}`],
    ['a number', '{"n": "{{n}}"}', { n: 2.5 }, '{"n":2.5}'],
    ['a number in a sentence', '{"n": "for {{n}}"}', { n: 2 }, '{"n":"for 2"}'],
    ['a boolean', '{"b": "{{b}}"}', { b: false }, '{"b":false}'],
    ['an array', '{"a": "{{a}}"}', { a: ['x', 1] }, '{"a":["x",1]}'],
    ['an array in a sentence', '{"a": "of {{a}}"}', { a: ['x', 'y'] }, '{"a":"of x,y"}'],
    ['an array in an array', '["{{a}}", "{{a}}"]', { a: [1] }, '[[1],[1]]'],
    ['an object', '{"o": "{{o}}"}', { o: { k: '"' } }, String.raw`{"o":{"k":"\""}}`],
    ['a missing value', '{"m": "{{nobody}}"}', {}, '{"m":null}'],
    ['a missing value in a sentence', '{"m": "for {{nobody}}."}', {}, '{"m":"for ."}'],
    ['null is missing', '{"m": "{{m}}"}', { m: null }, '{"m":null}'],
    ['an empty value is a value', '{"m": "{{empty}}"}', {}, '{"m":""}'],
    ['spaces in the braces', '{"n": "{{ first_name }}"}', {}, '{"n":"Zoë"}'],
    ['without quotes', '{"n": {{n}}, "s": {{s}}}', { n: 3, s: 'x' }, '{"n":3,"s":"x"}'],
    ['without quotes and missing', '{"n": {{n}}}', {}, '{"n":null}'],
    ['inherited names are no values', '{"n": "{{constructor}}"}', {}, '{"n":null}'],
    ['the order of the template', '{"b": 1, "a": "{{a}}"}', { a: 2 }, '{"b":1,"a":2}'],
    ['a key is no template', '{"{{first_name}}": 1}', {}, '{"{{first_name}}":1}'],
  ])('%s', (_name, bodyTemplate, given, body) => {
    expect(request({ bodyTemplate }, given).body).toBe(body)
  })

  test.each(['', '  ', null])('none: %j', (bodyTemplate) => {
    expect(request({ bodyTemplate })).toMatchObject({ body: null, headers: {} })
  })

  test('a GET has none', () => {
    expect(request({ method: 'GET', bodyTemplate: '{"a":1}' }).body).toBeNull()
  })

  test('a template that is no JSON is refused', () => {
    expect(build({ bodyTemplate: '{"a": }' })).toEqual({
      kind: 'refused',
      reason: 'The body template of this tool is no JSON.',
    })
  })
})

describe('address', () => {
  test.each<[string, Partial<CustomTool>, unknown, string]>([
    [
      'a value is encoded',
      { url: 'https://x.example/{{path}}' },
      {},
      'https://x.example/a%2Fb%3Fc%26d%23e',
    ],
    ['unicode', { url: 'https://x.example/{{first_name}}' }, {}, 'https://x.example/Zo%C3%AB'],
    ['a number', { url: 'https://x.example/{{n}}' }, { n: 7 }, 'https://x.example/7'],
    [
      'parameters',
      {
        queryParams: [
          { key: 'a b', value: '{{first_name}}' },
          { key: 'c', value: '1&2' },
        ],
      },
      {},
      'https://api.example.com/slots?a%20b=Zo%C3%AB&c=1%262',
    ],
    [
      'parameters after others, before a fragment',
      { url: 'https://x.example/?q=1#top', queryParams: [{ key: 'r', value: '2' }] },
      {},
      'https://x.example/?q=1&r=2#top',
    ],
    [
      'a parameter without a value is left out',
      {
        queryParams: [
          { key: 'a', value: '{{nobody}}' },
          { key: 'b', value: '{{empty}}' },
        ],
      },
      {},
      'https://api.example.com/slots?b=',
    ],
    [
      'an array',
      { queryParams: [{ key: 'a', value: '{{a}}' }] },
      { a: ['x', 'y z'] },
      'https://api.example.com/slots?a=x%2Cy%20z',
    ],
  ])('%s', (_name, tool, given, url) => {
    expect(request(tool, given).url).toBe(url)
  })

  test('with a hole is refused, by name', () => {
    expect(build({ url: 'https://x.example/{{nobody}}' })).toEqual({
      kind: 'refused',
      reason: 'The address needs a value for nobody.',
    })
  })
})

describe('headers', () => {
  test('values are filled in, in one line, and JSON is announced', () => {
    const headers = [
      { key: 'X-Name', value: 'for {{first_name}}' },
      { key: 'X-Lines', value: '{{lines}}\r\nX-Evil: 1' },
      { key: 'X-None', value: '{{nobody}}' },
    ]
    expect(request({ headers, bodyTemplate: '{}' }).headers).toEqual({
      'content-type': 'application/json',
      'x-name': 'for Zoë',
      'x-lines': 'a b c X-Evil: 1',
    })
  })

  test('the type of the body may be another', () => {
    const headers = [{ key: 'Content-Type', value: 'application/vnd.api+json' }]
    expect(request({ headers, bodyTemplate: '{}' }).headers).toEqual({
      'content-type': 'application/vnd.api+json',
    })
  })
})

describe('arguments', () => {
  const inputSchema = [
    { name: 'day', required: true, type: 'string' },
    { name: 'seats', required: false, type: 'number' },
    { name: 'room', required: false, type: 'enum', enumOptions: ['a', 'b'] },
    { name: 'late', required: false, type: 'boolean' },
  ] as const

  test.each<[unknown, string]>([
    [{}, 'The argument day is missing.'],
    [{ day: null }, 'The argument day is missing.'],
    [{ day: 3 }, 'The argument day is no string.'],
    [{ day: 'x', seats: '2' }, 'The argument seats is no number.'],
    [{ day: 'x', late: 'yes' }, 'The argument late is no boolean.'],
    [{ day: 'x', room: 'c' }, 'The argument room is none of: a, b.'],
    [{ day: 'x', room: 1 }, 'The argument room is no string.'],
    [[], 'The arguments are no JSON object.'],
    ['x', 'The arguments are no JSON object.'],
  ])('%j: %s', (given, reason) => {
    expect(build({ inputSchema }, given)).toEqual({ kind: 'refused', reason })
  })

  test('optional ones may be missing or null', () => {
    expect(build({ inputSchema }, { day: 'x', seats: null }).kind).toBe('ready')
  })

  test('what is no JSON is refused, and nothing at all is an empty object', () => {
    expect(buildToolRequest(TOOL, '{"a":', {}).kind).toBe('refused')
    expect(buildToolRequest(TOOL, '', {}).kind).toBe('ready')
  })
})
