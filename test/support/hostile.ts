/** What a body, a query or a path may look like when nobody means well. */

import * as fc from 'fast-check'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** A JSON value that hardly any field expects. */
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    -0,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '{{',
    '{{x}}',
    '../../etc/passwd',
    'javascript:alert(1)',
    'http://169.254.169.254/',
    '9'.repeat(400),
    [],
    [null],
    {},
    { $ref: '#' },
    { constructor: { prototype: { polluted: true } } },
    JSON.parse('{"__proto__": {"polluted": true}}'),
    JSON.parse(nested(500)),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(3_000, 70_000).map((length) => 'ü'.repeat(length)),
)

/** The same value with one of its places, chosen by `at`, put to another use. */
function spoilt(value: unknown, at: number, by: unknown): unknown {
  if (typeof value !== 'object' || value === null) return by
  const names = Object.keys(value)
  const name = names[at % (names.length + 1)]
  if (name === undefined) {
    return Array.isArray(value) ? [...(value as unknown[]), by] : { ...value, surprise: by }
  }
  const inner: unknown = (value as Record<string, unknown>)[name]
  const goesDeeper = typeof inner === 'object' && inner !== null && at % 3 > 0
  const changed = goesDeeper ? spoilt(inner, Math.floor(at / 7), by) : by
  return Array.isArray(value)
    ? (value as unknown[]).map((item, index) => (String(index) === name ? changed : item))
    : { ...value, [name]: changed }
}

const garbage: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '{"a":NaN}',
    '\u{feff}{}',
    "{'a':1}",
    '{"name":"A","name":1,"prompt":"P"}',
    '{"phone_number":"+12025550100","phone_number":{}}',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    nested(100_000),
    '{"a":'.repeat(50_000),
    `"${'x'.repeat(300_000)}"`,
  ),
  fc.string({ maxLength: 200 }),
  fc.uint8Array({ maxLength: 100 }),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.concat([Buffer.from('{"a":"'), bytes])),
)

export interface HostileBody {
  readonly contentType: string | null
  readonly body: string | Uint8Array
}

/** Bodies around valid ones: whole, spoilt in one place, or nothing like them. */
export function hostileBody(valid: fc.Arbitrary<unknown>): fc.Arbitrary<HostileBody> {
  const json = fc.oneof(
    { arbitrary: valid, weight: 3 },
    {
      arbitrary: fc.tuple(valid, fc.nat({ max: 9_999 }), hostileValue).map((t) => spoilt(...t)),
      weight: 5,
    },
    { arbitrary: hostileValue, weight: 1 },
  )
  const wellTyped = fc.constantFrom('application/json', 'application/json; charset=utf-8')
  const anyType = fc.constantFrom(
    null,
    'application/json',
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  )
  return fc.oneof(
    {
      arbitrary: fc.record({ contentType: wellTyped, body: json.map((v) => JSON.stringify(v)) }),
      weight: 8,
    },
    { arbitrary: fc.record({ contentType: anyType, body: garbage }), weight: 2 },
  )
}

const HOSTILE_TEXTS = [
  '',
  '%',
  '%zz',
  '%00',
  '%F0%9F%98%80',
  '..',
  '%2e%2e%2f',
  'a%2Fb',
  '__proto__',
  'constructor',
  'null',
  '-1',
  '0',
  '1e9',
  '1001',
  'true',
  "'%20OR%201=1",
  'x'.repeat(65),
  'x'.repeat(3_000),
]

/** One variable of a path, or one value of a query, as it stands on the wire. */
export function hostileText(known: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: known, weight: 6 },
    { arbitrary: fc.constantFrom(...HOSTILE_TEXTS), weight: 3 },
    { arbitrary: fc.string({ unit: 'grapheme' }).map(encoded), weight: 1 },
  )
}

/** Query strings of known and unknown names. */
export function hostileQuery(names: readonly string[], known: fc.Arbitrary<string>) {
  const name = fc.constantFrom(...names, ...names, ...names, '__proto__', 'unknown', '')
  const pairs = fc.array(fc.tuple(name, hostileText(known)), { maxLength: names.length + 1 })
  return pairs.map((list) => list.map(([key, value]) => `${key}=${value}`).join('&'))
}

/** Lone surrogates cannot be encoded; a client would send a replacement. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
