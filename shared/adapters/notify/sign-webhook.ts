import { Webhook } from 'standardwebhooks'

/**
 * The headers that prove who sent a webhook (Standard Webhooks 1.0, decisions 4). `at` (epoch ms)
 * is the moment of this very try; `secrets` are `whsec_...`, newest first, all of them valid while
 * one replaces the other. Throws when there is no secret, or the id holds a dot.
 */
export function signWebhook(options: {
  readonly id: string
  readonly at: number
  readonly body: string
  readonly secrets: readonly string[]
}): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const { id, at, body, secrets } = options
  if (secrets.length === 0) throw new RangeError('a webhook is signed with at least one secret')
  if (id.includes('.')) throw new RangeError('a webhook id holds no dot')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(id, new Date(at), body))
      .join(' '),
  }
}
