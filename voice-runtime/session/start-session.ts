import type { RealtimeModel } from '#shared/ports/realtime-model.ts'

import { startCallSession } from './call-session.ts'
import type { CallSession, CallSessionInput, CallSessionPorts } from './call-session.ts'
import { startRealtimeSession } from './realtime-session.ts'

export interface SessionPorts extends CallSessionPorts {
  /** For assistants whose model hears and speaks itself. */
  readonly realtimeModel?: RealtimeModel
}

/** Holds one conversation from the start of its media to its end, as the assistant's model wants it. */
export function startSession(ports: SessionPorts, input: CallSessionInput): CallSession {
  const { llmModel } = input.assistant
  const { realtimeModel } = ports
  return llmModel.type === 'realtime' && realtimeModel !== undefined
    ? startRealtimeSession({ ...ports, realtimeModel }, input, llmModel)
    : startCallSession(ports, input)
}
