import { createHmac, timingSafeEqual } from 'node:crypto'

/** Which attempt a media socket belongs to. `expiresAt` is epoch ms. */
export interface MediaClaim {
  readonly orderId: string
  readonly number: number
  readonly expiresAt: number
}

/**
 * A statement that whoever presents it may bring the media of this attempt. It stands in the path of
 * the media URL, because carriers strip query strings (reference/protocols-media.md 3.2).
 */
export function signMediaToken(claim: MediaClaim, secret: string): string {
  const payload = Buffer.from(
    JSON.stringify([claim.orderId, claim.number, claim.expiresAt]),
  ).toString('base64url')
  return `${payload}.${signatureOf(payload, secret).toString('base64url')}`
}

/** The claim of an authentic token that has not expired at `now` (epoch ms), else null. */
export function verifyMediaToken(token: string, secret: string, now: number): MediaClaim | null {
  const [payload, signature, ...rest] = token.split('.')
  if (payload === undefined || signature === undefined || rest.length > 0) return null
  const expected = signatureOf(payload, secret)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const claim = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, number, number]
  const [orderId, number, expiresAt] = claim
  return expiresAt > now ? { orderId, number, expiresAt } : null
}

function signatureOf(payload: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest()
}
