/** Where keys and secrets come from: chance that nobody can guess, and what is stored instead. */

import { createHash, randomBytes } from 'node:crypto'

import { type ApiKeyMode, BASE62, formatApiKey } from '#shared/domain/api-key.ts'

/** In hex: what is stored of an API key. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const ENTROPY_LENGTH = 30

/** A fresh API key. */
export function randomApiKey(mode: ApiKeyMode): string {
  let entropy = ''
  // Bytes from 248 on would make the first characters likelier than the others.
  while (entropy.length < ENTROPY_LENGTH) {
    for (const byte of randomBytes(ENTROPY_LENGTH)) if (byte < 248) entropy += BASE62[byte % 62]
  }
  return formatApiKey({ mode, entropy: entropy.slice(0, ENTROPY_LENGTH) })
}

const WEBHOOK_SECRET_BYTES = 32

/** A fresh secret of Standard Webhooks. */
export function randomWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`
}
