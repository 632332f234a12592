/** Who must be told after a call: spec 6, decisions 4. */

import type { AssistantSettings, Outcome, OutcomeSelector } from './assistant.ts'
import type { CallAttempt } from './call-attempt/attempt.ts'
import type { CallOrder } from './call-order/order.ts'

/** `recipient` is a URL, an address, a channel id, a connection id or a phone number. */
export interface DueNotification {
  readonly channel: NotificationChannel
  readonly recipient: string
  /** One per order, channel and recipient: the same notification is never sent under two keys. */
  readonly idempotencyKey: string
}

export type NotificationChannel =
  | 'webhook'
  | 'email'
  | 'chat'
  | 'crm_b'
  | 'sms_after_call'
  | 'sms_voicemail'

/** `attemptEnded`: one attempt is concluded. `orderFinal`: the order is, and its last attempt too. */
export type NotificationMoment = 'attemptEnded' | 'orderFinal'

/** What the prompt's routing rules added for this call; null without rules (spec 2.9). */
export interface NotificationRouting {
  readonly followUpEmails: readonly string[] | null
  /** A subset of the assistant's channels. */
  readonly chatChannelIds: readonly string[] | null
}

/**
 * Everything that is due at a moment; asking twice gives the same keys. The voicemail SMS is due after
 * an attempt that met voicemail; its key makes it one per order. All else is due once, at the end.
 */
export function dueNotifications(input: {
  readonly settings: AssistantSettings
  readonly order: CallOrder
  /** Null when the order ended without any. */
  readonly attempt: CallAttempt | null
  readonly outcome: Outcome | null
  readonly moment: NotificationMoment
  readonly routing?: NotificationRouting | undefined
}): DueNotification[] {
  const { settings, order, attempt, outcome, moment, routing } = input
  const due = (channel: NotificationChannel, recipients: readonly (string | null)[]) =>
    [...new Set(recipients)]
      .filter((recipient) => recipient !== null)
      .map((recipient) => ({
        channel,
        recipient,
        idempotencyKey: `${order.id}:${channel}:${recipient}`,
      }))
  const prospect = order.direction === 'inbound' ? order.fromPhoneNumber : order.toPhoneNumber
  if (moment === 'attemptEnded') {
    const isDue = attempt?.result === 'voicemail' && settings.voicemailSmsPrompt !== null
    return isDue ? due('sms_voicemail', [prospect]) : []
  }
  const selects = (outcomes: readonly OutcomeSelector[] | null | undefined) =>
    outcomes?.includes(outcome ?? 'none') === true
  const { chat, crmB } = settings
  return [
    ...due('webhook', [settings.webhookUrl]),
    ...(selects(settings.emailNotificationOutcomes)
      ? due('email', emailRecipients(settings, routing))
      : []),
    ...(selects(chat?.outcomes) ? due('chat', chatChannels(settings, routing)) : []),
    ...(selects(crmB?.outcomes) ? due('crm_b', [crmB?.connectionId ?? null]) : []),
    ...(selects(settings.afterCallSmsOutcomes) && settings.afterCallSmsPrompt !== null
      ? due('sms_after_call', [prospect])
      : []),
  ]
}

/** Routing rules add to the configured addresses, never replace them. */
function emailRecipients(
  settings: AssistantSettings,
  routing: NotificationRouting | undefined,
): string[] {
  const configured = settings.emailNotificationAddress?.split(',') ?? []
  return [...configured, ...(routing?.followUpEmails ?? [])]
    .map((address) => address.trim().toLowerCase())
    .filter((address) => address !== '')
}

function chatChannels(
  settings: AssistantSettings,
  routing: NotificationRouting | undefined,
): string[] {
  const chosen = routing?.chatChannelIds ?? null
  const channels = settings.chat?.channels.map(({ id }) => id) ?? []
  return chosen === null ? channels : channels.filter((id) => chosen.includes(id))
}
