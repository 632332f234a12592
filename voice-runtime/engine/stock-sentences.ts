/** What the agent says, or tells the model, when nobody has written it. */

import type { TurnPurpose } from './conversation-state.ts'

export const APOLOGY = "I'm sorry, I didn't catch that. Could you say that again?"

/** Spoken when the model fails twice. */
export const FALLBACKS: Readonly<Record<TurnPurpose, string>> = {
  opening: 'Hello?',
  answer: APOLOGY,
  prompt: 'Are you still there?',
  gate: 'This is a call for the person at this number.',
  farewell: 'Goodbye.',
}

/** Spoken when a speech-to-speech model is lost: nobody else could go on. */
export const LOST_SENTENCE = "I'm sorry, something went wrong on my side. Goodbye."

/** Said while model or tools take their time, one after the other. */
export const FILLERS = [
  'One moment, please.',
  'I am still working on it.',
  'Thank you for your patience, it takes a little longer.',
] as const

/** The same before the first sentence. */
export const OPENING_FILLERS = ['Hello?', ...FILLERS] as const

export const OPENING_NOTE =
  'You open the conversation now. Say only your first sentence, following this instruction:'
export const OPENING_INSTRUCTION = 'Greet the person and say who is calling.'

export const SILENCE_NOTE =
  'The person on the phone has been silent for a while. Ask briefly whether they are still there.'

export const CONTINUE_NOTE =
  'A noise stopped you before you had said everything. Go on from where you were stopped, without an apology.'

export const SCREENING_NOTE =
  'An assistant that screens calls has answered, not the person. Say in one short sentence who is calling ' +
  'and what the call is about, in general words: nothing private, no question, no greeting.'

export const MENU_NOTE =
  'A phone menu has answered, not the person; its words are the last ones above. Choose what leads to the ' +
  'person you want to speak to: press keys with press_keys; if it asks for spoken words, say them and ' +
  'nothing else; if it only talks, plays music or asks to wait, call skip_turn. Do not talk to it.'
