import type { Callee, CalleeEvent, CalleeTimer, Reaction } from '../callee.ts'

export interface VoicemailState {
  readonly isRecording: boolean
  readonly callerSpeaking: boolean
}

const GREETING_AFTER_MS = 300
const RECORDS_FOR_MS = 20_000
const SILENCE_MS = 3_000

/** A mailbox: greeting, beep, then it records until 3 s of silence, 20 s at most, and hangs up. */
export const voicemail: Callee<VoicemailState> = {
  initial: { isRecording: false, callerSpeaking: false },
  react,
}

function react(state: VoicemailState, event: CalleeEvent): Reaction<VoicemailState> {
  switch (event.type) {
    case 'answered':
      return { state, actions: [{ type: 'setTimer', name: 'speak', inMs: GREETING_AFTER_MS }] }
    case 'clipFinished':
      return { state, actions: [{ type: 'playBeep' }] }
    case 'beepFinished':
      return {
        state: { ...state, isRecording: true },
        actions: [
          { type: 'setTimer', name: 'hangUp', inMs: RECORDS_FOR_MS },
          { type: 'setTimer', name: 'silence', inMs: SILENCE_MS },
        ],
      }
    case 'agentSpeechStarted':
      return { state: { ...state, callerSpeaking: true }, actions: [] }
    case 'agentSpeechEnded':
      return {
        state: { ...state, callerSpeaking: false },
        actions: state.isRecording
          ? [
              {
                type: 'setTimer',
                name: 'silence',
                inMs: SILENCE_MS - (event.atMs - event.endedAtMs),
              },
            ]
          : [],
      }
    case 'timer':
      return timerFired(state, event.name)
    case 'agentWords':
    case 'agentKey':
      return { state, actions: [] }
  }
}

function timerFired(state: VoicemailState, name: CalleeTimer): Reaction<VoicemailState> {
  if (name === 'speak') {
    return { state, actions: [{ type: 'playClip', clip: 'voicemail_greeting' }] }
  }
  const isOver = name === 'hangUp' || !state.callerSpeaking
  return { state, actions: isOver ? [{ type: 'hangUp' }] : [] }
}
