import type { ConversationEvent } from '../engine/conversation-event.ts'

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never

/** What the parts of a session report; the session adds when. */
export type EventWithoutTime = WithoutTime<ConversationEvent>
