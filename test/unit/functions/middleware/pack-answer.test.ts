import { gunzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { acceptsGzip, packAnswer } from '#functions/middleware/pack-answer.ts'

const LAMBDA_BYTES_MAX = 6 * 1024 * 1024

const answerOf = (body: string) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body,
})
const textOf = (answer: { body?: string; isBase64Encoded?: boolean }) =>
  answer.isBase64Encoded === true
    ? gunzipSync(Buffer.from(answer.body ?? '', 'base64')).toString()
    : answer.body

test('a small answer is left alone', async () => {
  const answer = answerOf('{"ü":1}')
  expect(await packAnswer(answer, 'gzip')).toBe(answer)
})

test('a large one is packed for who unpacks it, and plain for who does not', async () => {
  const body = JSON.stringify({ text: 'ü'.repeat(100_000) })
  const packed = await packAnswer(answerOf(body), 'br, gzip')
  expect(packed).toMatchObject({
    statusCode: 200,
    isBase64Encoded: true,
    headers: {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
    },
  })
  expect(textOf(packed)).toBe(body)
  const plain = await packAnswer(answerOf(body), 'identity')
  expect([plain.body, plain.headers]).toEqual([
    body,
    { 'content-type': 'application/json', vary: 'accept-encoding' },
  ])
})

test.each([
  ['of many bytes', 'x'.repeat(7_000_000)],
  ['of many quotation marks, which Lambda writes as two bytes each', '"'.repeat(3_500_000)],
])('what Lambda would not hand out plain is packed for everybody: %s', async (_, text) => {
  const body = JSON.stringify(text)
  const packed = await packAnswer(answerOf(body), undefined)
  expect(textOf(packed)).toBe(body)
  expect(Buffer.byteLength(JSON.stringify(packed))).toBeLessThan(LAMBDA_BYTES_MAX)
})

test.each<[string | undefined, boolean]>([
  ['gzip', true],
  ['br;q=1.0, GZIP;q=0.8', true],
  ['identity', false],
  ['x-gzipped', false],
  [undefined, false],
])('Accept-Encoding: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected)
})
