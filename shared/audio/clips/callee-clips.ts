/**
 * What simulated callees say. The audio of each line lies beside this file as `<id>.wav` (mu-law 8 kHz),
 * made by `infra/generate/callee-clips.ts`; run it again after a change here.
 */

export type CalleePersona = 'person' | 'colleague' | 'voicemail' | 'menu' | 'screening'

export interface CalleeClip {
  readonly persona: CalleePersona
  readonly text: string
}

const line =
  (persona: CalleePersona) =>
  (text: string): CalleeClip => ({ persona, text })
const person = line('person')
const colleague = line('colleague')
const voicemail = line('voicemail')
const menu = line('menu')
const screening = line('screening')

export const CALLEE_CLIPS = {
  hello: person('Hello?'),
  yes_speaking: person('Yes, speaking.'),
  yes_go_ahead: person('Yes, go ahead.'),
  sounds_good: person('Yes, that sounds good to me.'),
  tuesday_morning: person('Tuesday morning would be best.'),
  no_thats_all: person("No, that's all. Thank you."),
  goodbye: person('Goodbye.'),
  two_people: person('There would be two of us.'),
  call_me_later: person("I'm busy right now, could you call me back later?"),
  tomorrow_at_three: person('Tomorrow at three would be fine.'),
  wait_a_moment: person('Wait, I have a question.'),
  what_is_it_about: person('What is this about?'),
  mm_hm: person('Mm-hm.'),
  okay: person('Okay.'),
  not_interested: person("No thank you, I'm not interested."),
  speak_to_a_human: person('Can I speak to a human, please?'),
  never_call_again: person('Please never call me again.'),
  who_is_calling: person('Who is calling, please?'),
  are_you_a_robot: person('Are you a robot?'),
  say_that_again: person('Sorry, could you say that again?'),
  missed_your_call: person('Hello, I missed a call from this number.'),
  colleague_hello: colleague('Hello, Alex here.'),
  colleague_accepts: colleague('Sure, put them through.'),
  colleague_declines: colleague("Sorry, I can't take it right now."),
  voicemail_greeting: voicemail(
    "Hi, you have reached Sam. I can't take your call right now. Please leave a message after the tone.",
  ),
  menu: menu('Thank you for calling. For sales, press one. For support, press two.'),
  menu_orders: menu('For new orders, press one. For existing orders, press two.'),
  menu_invalid: menu('Sorry, that is not a valid option.'),
  menu_sales: menu('You have reached sales. Please hold while we connect you.'),
  screening: screening(
    "Hi, if you record your name and reason for calling, I'll see if this person is available.",
  ),
  screening_wait: screening('Thank you. Please stay on the line.'),
  not_available: screening('Sorry, this person is not available. Goodbye.'),
} as const satisfies Readonly<Record<string, CalleeClip>>

export type CalleeClipId = keyof typeof CALLEE_CLIPS
