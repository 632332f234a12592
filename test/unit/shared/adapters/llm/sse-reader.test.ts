import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readSse } from '#shared/adapters/llm/sse-reader.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'

async function read(pieces: readonly Uint8Array[], maxEventChars = 1_000): Promise<string[]> {
  async function* bytes() {
    yield* pieces
  }
  return Array.fromAsync(readSse(bytes(), maxEventChars))
}

const encode = (text: string) => new TextEncoder().encode(text)

describe('readSse', () => {
  it.each([
    ['data: a\n\ndata: b\n\n', ['a', 'b']],
    ['data: a\r\n\r\ndata: b\r\rdata: c\n\n', ['a', 'b', 'c']],
    ['data:a\ndata:  b\n\n', ['a\n b']],
    [': comment\n\nid: 7\nevent: x\nretry: 5\n\ndata: a\n\n', ['a']],
    ['data\n\n', ['']],
    ['database: no\n\ndata: a', ['a']],
    ['data: a\n', ['a']],
    ['\uFEFFdata: a\n\n', ['a']],
    ['', []],
  ])('%j gives %j', async (text, events) => {
    expect(await read([encode(text)])).toEqual(events)
  })

  it('gives the same events wherever the bytes are cut', async () => {
    const newline = fc.constantFrom('\n', '\r\n', '\r')
    const line = fc.constantFrom('data: é', 'data:👋 x', ': hm', 'event: e', 'data')
    const stream = fc.array(fc.tuple(line, newline, fc.option(newline, { nil: '' })))
    await fc.assert(
      fc.asyncProperty(
        stream,
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        async (s, cuts) => {
          const bytes = encode(s.flat().join(''))
          const pieces: Uint8Array[] = []
          for (let at = 0; at < bytes.length;) {
            const size = cuts.next().value ?? 1
            pieces.push(bytes.slice(at, at + size))
            at += size
          }
          expect(await read(pieces)).toEqual(await read([bytes]))
        },
      ),
    )
  })

  it.each([
    ['one line', 'data: ' + 'x'.repeat(100)],
    ['many lines', 'data: x\n'.repeat(20)],
  ])('refuses an event that is too long in %s', async (_name, text) => {
    await expect(read([encode(text)], 99)).rejects.toBeInstanceOf(AdapterError)
  })

  it('counts each event alone, and no comments', async () => {
    const text = `${': hm\n'.repeat(100)}${'data: 0123456789\n\n'.repeat(100)}`
    expect(await read([encode(text)], 20)).toHaveLength(100)
  })
})
