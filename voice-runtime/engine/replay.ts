import type { ConversationCommand } from './conversation-command.ts'
import type { ConversationEvent } from './conversation-event.ts'
import type { Phase } from './conversation-state.ts'
import { decideConversation, startConversation } from './conversation.ts'
import type { ConversationSettings } from './settings.ts'

/** What the conversation decided; `event` is null at its start. */
export interface ReplayedStep {
  readonly event: ConversationEvent | null
  readonly commands: readonly ConversationCommand[]
  /** After it. */
  readonly phase: Phase
}

/** A conversation once more, from what it was told. */
export function* replay(told: {
  readonly settings: ConversationSettings
  readonly startedAtMs: number
  readonly events: readonly ConversationEvent[]
}): Generator<ReplayedStep> {
  let step = startConversation(told.settings, told.startedAtMs)
  yield { event: null, commands: step.commands, phase: step.state.phase }
  for (const event of told.events) {
    step = decideConversation(step.state, event)
    yield { event, commands: step.commands, phase: step.state.phase }
  }
}
