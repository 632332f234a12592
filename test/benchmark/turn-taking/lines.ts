/** What agents and callees say in the corpus. Written before any rule was tried on it. */

interface Exchange {
  readonly agent: string
  readonly callee: readonly string[]
}

export const SHORT_ANSWERS: readonly Exchange[] = [
  {
    agent: 'Am I speaking with Mrs Miller?',
    callee: ['Yes, speaking.', 'Yes.', 'No, she is out.', 'Who is this?', 'That is me.'],
  },
  {
    agent: 'Would you like to book a check-up?',
    callee: [
      'Yes please.',
      'No thank you.',
      'Sure.',
      'Not really.',
      'Maybe later.',
      'I would love to.',
    ],
  },
  {
    agent: 'Which day would suit you best?',
    callee: [
      'Tuesday.',
      'Any day.',
      'Next Friday.',
      'Tomorrow afternoon.',
      'The day after.',
      'Monday at ten.',
    ],
  },
  {
    agent: 'Is this a good moment to talk?',
    callee: ['Yeah.', 'Okay.', 'Go ahead.', 'I am driving.', 'Yes it is.', 'Not right now.'],
  },
  {
    agent: 'Shall I send you a text message with the details?',
    callee: [
      'That would be great.',
      'No need.',
      'Yes, thanks.',
      'Please do.',
      'An email is fine.',
      'Perfect.',
    ],
  },
  {
    agent: 'Is there anything else I can help you with?',
    callee: [
      'No, that is all.',
      'No, thank you, goodbye.',
      'That is it.',
      'Nothing else.',
      'One more thing.',
    ],
  },
]

export const QUESTIONS: readonly Exchange[] = [
  {
    agent: 'We can offer you an appointment on Wednesday.',
    callee: [
      'What time on Wednesday?',
      'How long does it take?',
      'Do I have to pay for it?',
      'Is it the same dentist as last time?',
      'Can my husband come along?',
      'Where exactly is your practice?',
    ],
  },
  {
    agent: 'Your parcel could not be delivered yesterday.',
    callee: [
      'Why was it not delivered?',
      'Can you leave it with my neighbour?',
      'When will you try again?',
      'Could you bring it to my office instead?',
      'What is in the parcel?',
    ],
  },
  {
    agent: 'I am calling about the flat that you asked about.',
    callee: [
      'Is it still available?',
      'How much is the rent including heating?',
      'Are pets allowed?',
      'When could I have a look at it?',
      'Who else is interested?',
    ],
  },
]

export const STATEMENTS: readonly Exchange[] = [
  {
    agent: 'What can I do for you?',
    callee: [
      'I would like to book an appointment for my daughter next week.',
      'My tooth has been hurting since Sunday and it is getting worse.',
      'I need to move my appointment to another day because I have to work.',
      'Somebody from your company called me this morning and left a message.',
      'I want to cancel the order that I placed on the website yesterday.',
      'The heating in the bathroom does not work and we have a small baby.',
      'I have received a bill that I do not understand at all.',
      'We are looking for a three bedroom house with a garden near the station.',
    ],
  },
  {
    agent: 'Which day would suit you best?',
    callee: [
      'I think Thursday in the late afternoon would suit me best.',
      'I can only come in the morning before I start work at nine.',
      'Any day next week except for Wednesday is fine with me.',
      'Let us say the twenty third of May if that is possible.',
      'My wife keeps the calendar so I will have to ask her first.',
      'It does not matter to me as long as it is soon.',
    ],
  },
  {
    agent: 'Could you tell me a little more about what happened?',
    callee: [
      'The driver said that nobody was at home but I was there all day.',
      'I ordered the blue one and you sent me the red one twice.',
      'It fell off the table and now the screen stays black.',
      'We signed the contract in March and nobody has come since then.',
      'The man on the phone promised me a refund within two weeks.',
      'It started with a strange noise and then everything went dark.',
    ],
  },
  {
    agent: 'How did you hear about us?',
    callee: [
      'A friend of mine told me that you are very good.',
      'I saw your advertisement in the newspaper last Saturday.',
      'My brother has been with you for more than ten years.',
      'I found you on the internet when I looked for a dentist.',
    ],
  },
]

/** Said, and after a pause gone on with. */
export const CONTINUED_ANSWERS: readonly {
  readonly agent: string
  readonly callee: readonly (readonly [string, string])[]
}[] = [
  {
    agent: 'Would you like to book a check-up?',
    callee: [
      ['Yes.', 'But only if it is before Easter.'],
      ['No, not now.', 'Maybe you can call me again in the summer.'],
      ['Okay.', 'How much would that be?'],
    ],
  },
  {
    agent: 'Does Tuesday at three suit you?',
    callee: [
      ['Tuesday is fine.', 'Could we make it a bit later?'],
      ['Three is too early.', 'I finish work at half past four.'],
      ['Yes, that works.', 'Wait, no, I have a meeting then.'],
      ['Sure.', 'My name is Peter Schmidt by the way.'],
      ['I am not sure.', 'I have to ask my husband.'],
    ],
  },
]

export const NUMBERS: readonly {
  readonly agent: string
  readonly callee: readonly (readonly string[])[]
}[] = [
  {
    agent: 'Could you give me your phone number, please?',
    callee: [
      ['It is zero two zero', 'seven nine four six', 'zero nine five eight.'],
      ['Five five five', 'zero one seven', 'four two two one.'],
      ['My number is', 'six one four', 'nine double eight', 'three zero one two.'],
      ['Zero seven seven zero', 'nine hundred', 'four six one.'],
    ],
  },
  {
    agent: 'What is your customer number?',
    callee: [
      ['It says four four seven', 'one nine', 'zero zero two.'],
      ['Eight one two', 'three three nine', 'six five.'],
      ['A b c', 'nine nine four one', 'seven two two.'],
      ['That is one two three four', 'five six seven eight.'],
    ],
  },
]

export const FILLERS = ['um', 'uh', 'well um', 'let me think', 'uh let me see', 'how shall I say']

export const STORY =
  'Thank you for that. We have several times free next week, on Monday and on Thursday in the morning, ' +
  'and on Tuesday in the afternoon, and the doctor will need about forty minutes for the first visit. ' +
  'Please bring your insurance card with you, and come a few minutes earlier to fill in the form.'

export const BACKCHANNELS = [
  'Mm-hm.',
  'Uh-huh.',
  'Yeah.',
  'Okay.',
  'Right.',
  'I see.',
  'Yes.',
  'Got it.',
  'Yeah, okay.',
  'Sure, yeah.',
  'All right.',
  'Mm.',
]

export const INTERRUPTIONS = [
  'Wait a moment please.',
  'Sorry, can I ask something?',
  'No, I do not want that.',
  'Stop, that is too fast for me.',
  'Excuse me, who are you?',
  'Actually Thursday is not possible.',
  'But I have already been there.',
  'Hold on, I need a pen.',
  'What was the first day again?',
  'I do not have an insurance card.',
  'Can you repeat that please?',
  'Not in the morning please.',
]

export const NOISES = ['door', 'cough', 'keyboard', 'hum', 'television'] as const
export type Noise = (typeof NOISES)[number]
