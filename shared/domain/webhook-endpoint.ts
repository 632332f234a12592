/** Where an organization wants to be told of events, beside the `webhook_url` of assistants. */

/** Decisions 4. */
export const EVENT_KINDS = [
  'call.scheduled',
  'call.started',
  'call.answered',
  'call.completed',
  'call.attempt.ended',
  'call.transfer.*',
  'campaign.started',
  'campaign.paused',
  'campaign.completed',
  'campaign.cancelled',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export interface WebhookEndpoint {
  readonly id: string
  readonly organizationId: string
  readonly version: number
  readonly url: string
  readonly description: string | null
  readonly eventKinds: readonly EventKind[]
  readonly isEnabled: boolean
  /** Epoch ms. */
  readonly createdAt: number
  readonly updatedAt: number
}
