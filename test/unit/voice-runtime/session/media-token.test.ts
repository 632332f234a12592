import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { signMediaToken, verifyMediaToken } from '#voice/session/media-token.ts'

const CLAIM = { orderId: 'call_01', number: 2, expiresAt: 10_000 }
const TOKEN = signMediaToken(CLAIM, 'secret')
const [PAYLOAD, SIGNATURE] = TOKEN.split('.')

describe('media tokens', () => {
  it('name their attempt until they expire', () => {
    expect(verifyMediaToken(TOKEN, 'secret', 9_999)).toEqual(CLAIM)
    expect(verifyMediaToken(TOKEN, 'secret', 10_000)).toBeNull()
  })

  it('fit into a path', () => {
    expect(TOKEN).toMatch(/^[A-Za-z0-9_.-]+$/)
  })

  it.each([
    ['nothing', ''],
    ['no signature', `${PAYLOAD}`],
    ['an empty signature', `${PAYLOAD}.`],
    ['a third part', `${TOKEN}.x`],
    ['another payload', `${Buffer.from('["call_02",2,10000]').toString('base64url')}.${SIGNATURE}`],
    ['another secret', signMediaToken(CLAIM, 'another')],
  ])('are refused with %s', (_name, token) => {
    expect(verifyMediaToken(token, 'secret', 0)).toBeNull()
  })

  it('are refused after any change of a character', () => {
    fc.assert(
      fc.property(
        fc.nat(TOKEN.length - 1),
        fc.constantFrom('A', 'b', '7', '-', '.'),
        (at, letter) => {
          const changed = TOKEN.slice(0, at) + letter + TOKEN.slice(at + 1)
          // The last character of a part carries unused bits: other letters may mean the same bytes.
          const isSame = at === TOKEN.length - 1 || changed === TOKEN
          fc.pre(!isSame)
          expect(verifyMediaToken(changed, 'secret', 0)).toBeNull()
        },
      ),
    )
  })
})
