import { describe, expect, it } from 'vitest'

import { simulatedLanguageModel } from '#shared/adapters/llm/simulated.ts'
import type { StructuredOutputField } from '#shared/domain/assistant.ts'
import type { ChatMessage } from '#shared/domain/chat.ts'
import { buildConclusionRequest } from '#shared/domain/conclusion/build-conclusion-request.ts'
import { describeFields } from '#shared/domain/conclusion/field-schema.ts'
import { readConclusion } from '#shared/domain/conclusion/read-conclusion.ts'
import { DEFAULT_LLM_MODEL } from '#shared/domain/llm-model.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import type { LlmRequest } from '#shared/ports/language-model.ts'

const END_CALL = { name: 'end_call', description: 'Ends the call.', parameters: {} }

const FIELDS: readonly StructuredOutputField[] = [
  { name: 'wants_appointment', type: 'boolean', required: true },
  { name: 'preferred_day', type: 'string', required: false, description: 'the best day' },
]

const PROMPT = [
  'You are Nora, the assistant of Acme Dental. You arrange check-ups.',
  'Find out:',
  describeFields(FIELDS),
].join('\n')

async function answer(request: Partial<LlmRequest>): Promise<{ text: string; ends: boolean }> {
  const deltas = await Array.fromAsync(
    simulatedLanguageModel.stream(
      { model: DEFAULT_LLM_MODEL, messages: [], tools: [END_CALL], ...request },
      new AbortController().signal,
    ),
  )
  return {
    text: deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join(''),
    ends: deltas.some((delta) => delta.type === 'toolCall' && delta.call.name === 'end_call'),
  }
}

interface Line {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** The agent answers each line of the callee until it ends the call. */
async function talk(
  callee: readonly string[],
  start: readonly Line[] = [],
  prompt = PROMPT,
): Promise<{ lines: readonly Line[]; agent: readonly string[]; ended: boolean }> {
  const lines = [...start]
  let ended = false
  for (const content of callee) {
    lines.push({ role: 'user', content })
    const reply = await answer({ messages: [{ role: 'system', content: prompt }, ...lines] })
    lines.push({ role: 'assistant', content: reply.text })
    ended = reply.ends
    if (ended) break
  }
  const agent = lines.flatMap((line) => (line.role === 'assistant' ? [line.content] : []))
  return { lines, agent, ended }
}

async function conclude(lines: readonly TranscriptEntry[], fields = FIELDS) {
  const request = buildConclusionRequest({
    settings: { structuredOutputConfig: fields, structuredOutputPrompt: null },
    order: { direction: 'outbound' },
    attempt: {
      result: 'human',
      transcript: lines,
      phoneNumber: '+12025550100',
      fromPhoneNumber: '+12025550199',
    },
  })
  if (request === null) throw new Error('nothing to conclude')
  const { text } = await answer({ ...request, tools: [] })
  return readConclusion(text, fields)
}

const TYPICAL = [
  'Hello?',
  'Yes, speaking.',
  'Yes, that sounds good to me.',
  'Tuesday morning would be best.',
  "No, that's all. Thank you.",
  'Goodbye.',
]

describe('a typical conversation', () => {
  it('greets, asks each question once, and ends the call', async () => {
    const { agent, ended } = await talk(TYPICAL)
    expect(agent).toEqual([
      'Hello, this is Nora, the assistant of Acme Dental. Do you have a moment?',
      'Great. Would you like an appointment?',
      'Great. What is your preferred day?',
      'Thank you. Is there anything else I can do for you?',
      'Thank you for your time. Goodbye.',
    ])
    expect(ended).toBe(true)
  })

  it('does not greet again after a first sentence that was given', async () => {
    const first = { role: 'assistant', content: 'Good morning, Nora of Acme Dental here.' } as const
    const { agent, ended } = await talk(TYPICAL, [first])
    expect(agent.slice(1)).toEqual([
      'Would you like an appointment?',
      'Great. Would you like an appointment?',
      'Great. What is your preferred day?',
      'Thank you. Is there anything else I can do for you?',
      'Thank you for your time. Goodbye.',
    ])
    expect(ended).toBe(true)
  })

  it('is concluded with the right values', async () => {
    const { lines } = await talk(TYPICAL)
    expect(await conclude(lines)).toEqual({
      outcome: 'interested',
      outcomeSummary: 'The user agreed to what the agent offered.',
      structuredOutput: { wants_appointment: true, preferred_day: 'Tuesday morning' },
      problems: [],
    })
  })

  it('asks two questions of its own when the prompt has none', async () => {
    const { agent, ended } = await talk(TYPICAL, [], 'Be nice.')
    expect(agent[0]).toBe('Hello, this is your assistant. Do you have a moment?')
    expect(agent.filter((text) => text.endsWith('?'))).toHaveLength(4)
    expect(ended).toBe(true)
  })

  it('asks the questions that the prompt spells out', async () => {
    const { agent } = await talk(TYPICAL, [], 'You are Ed.\nAsk: How old is your roof?')
    expect(agent[1]).toBe('Great. How old is your roof?')
  })

  it('opens without being spoken to, with the words it was given if any', async () => {
    const silent = await answer({ messages: [{ role: 'system', content: PROMPT }] })
    expect(silent.text).toMatch(/^Hello, this is Nora/)
    const given = [
      { role: 'system', content: `${PROMPT}\nBegin with: "Ahoy, Nora here."` },
    ] as const
    expect((await answer({ messages: given })).text).toBe('Ahoy, Nora here.')
  })

  it.each([
    ['Hello, this is Ed of Acme.', 'Hello, this is Ed of Acme.'],
    ['Greet them warmly.', /^Hello, this is Nora/],
  ])('opens as a late instruction says: %s', async (instruction, expected) => {
    const messages: readonly ChatMessage[] = [
      { role: 'system', content: PROMPT },
      { role: 'user', content: 'Hello?' },
      {
        role: 'system',
        content: `Say your first sentence, following this instruction: ${instruction}`,
      },
    ]
    expect((await answer({ messages })).text).toMatch(expected)
  })

  it.each(['Blah.', 'What?', 'Hello?', 'Wait.', 'Yes.', ''])(
    'ends even when the callee only says "%s"',
    async (words) => {
      const { agent, ended } = await talk(Array.from({ length: 30 }, () => words))
      expect(ended).toBe(true)
      expect(agent.length).toBeLessThanOrEqual(25)
    },
  )
})

describe('a callee who steers', () => {
  const after = async (words: string, said = 'Would you like an appointment?') =>
    talk([words], [{ role: 'assistant', content: said }])

  it.each([
    ['I am not interested, thank you.', 'I understand. Thank you for your time. Goodbye.'],
    [
      'Please never call me again.',
      'I understand. We will not call you again. Thank you for your time. Goodbye.',
    ],
    ['Take me off your list.', /not call you again/],
    ['Call me tomorrow afternoon, bad time.', /call you back tomorrow afternoon\..*Goodbye\.$/],
    ['Bye.', 'Thank you for your time. Goodbye.'],
  ])('%s ends the call', async (words, expected) => {
    const { agent, ended } = await after(words)
    expect(agent.at(-1)).toMatch(expected)
    expect(ended).toBe(true)
  })

  it('is asked when to be called back', async () => {
    const start = [{ role: 'assistant', content: 'Would you like an appointment?' }] as const
    const callee = ['Can you call me back later?', 'Tomorrow afternoon.']
    const { agent, ended, lines } = await talk(callee, start)
    expect(agent.slice(1)).toEqual([
      'Of course. When would be a good time to call you back?',
      'Thank you. I will call you back tomorrow afternoon. Thank you for your time. Goodbye.',
    ])
    expect(ended).toBe(true)
    expect((await conclude(lines)).outcome).toBe('requested_callback_later')
  })

  it.each([
    ['Wait, one second.', 'Of course. Take your time, and just tell me when you are ready.'],
    [
      'Who is this?',
      'Of course. This is Nora, the assistant of Acme Dental. Would you like an appointment?',
    ],
    ['How much is it?', 'Of course. I will find that out. Would you like an appointment?'],
    ['Hello?', 'Would you like an appointment?'],
    ['No, not really.', 'All right. What is your preferred day?'],
  ])('%s keeps the call going', async (words, expected) => {
    const { agent, ended } = await after(words)
    expect(agent.at(-1)).toBe(expected)
    expect(ended).toBe(false)
  })

  it.each([
    { role: 'user', content: '[The user is silent.]' },
    { role: 'system', content: 'The callee has said nothing for 8 seconds.' },
  ] as const)('is asked for when silent ($role)', async (note) => {
    const messages: readonly ChatMessage[] = [
      { role: 'system', content: PROMPT },
      { role: 'assistant', content: 'Would you like an appointment?' },
      note,
    ]
    expect(await answer({ messages })).toEqual({ text: 'Are you still there?', ends: false })
  })

  it('hears the question again after a silence', async () => {
    const start = ['Would you like an appointment?', 'Are you still there?'].map(
      (content) => ({ role: 'assistant', content }) as const,
    )
    const { agent } = await talk(['Yes, I am here.', 'Yes, gladly.'], start)
    expect(agent.slice(2)).toEqual([
      'Would you like an appointment?',
      'Great. What is your preferred day?',
    ])
  })

  it('gets no tool call where the tool is not offered', async () => {
    const messages: readonly ChatMessage[] = [
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Bye.' },
    ]
    expect((await answer({ messages, tools: [] })).ends).toBe(false)
  })
})

describe('conclusions', () => {
  const pair = (question: string, words: string): readonly TranscriptEntry[] => [
    { role: 'assistant', content: question },
    { role: 'user', content: words },
  ]

  it.each<[StructuredOutputField, string, string, unknown]>([
    [field('wants_call', 'boolean'), 'Would you like a call?', 'No, rather not.', false],
    [field('wants_call', 'boolean'), 'Shall I arrange a call?', 'Sure.', true],
    [field('party_size', 'number'), 'What is your party size?', 'We are twenty-four.', 24],
    [field('party_size', 'number'), 'What is your party size?', 'About 12 people.', 12],
    [field('party_size', 'number'), 'What is your party size?', 'Quite a few.', null],
    [field('city', 'string'), 'Which city do you live in?', 'In Paris.', 'In Paris.'],
    [field('city', 'string'), 'How are you?', 'Fine.', null],
    [field('birth_date', 'date'), 'What is your birth date?', '1980-02-29, I think.', '1980-02-29'],
    [
      { ...field('color', 'enum'), enumOptions: ['red', 'dark blue'] },
      'Tell me.',
      'I take the dark blue one.',
      'dark blue',
    ],
  ])('$0.name $0.type: %s %s %s', async (asked, question, words, expected) => {
    const conclusion = await conclude(pair(question, words), [asked])
    expect(conclusion.structuredOutput).toEqual({ [asked.name]: expected })
    expect(conclusion.problems).toEqual([])
  })

  it.each([
    ['Do you have a moment?', 'Yes.', null],
    ['', 'Hello?', null],
    ['What is your name?', 'Ann.', 'completed'],
    ['Would you like it?', 'Yes, please do.', 'interested'],
    ['Would you like it?', 'I am not interested.', 'not_interested'],
    ['Would you like it?', 'Never call me again.', 'not_interested'],
    ['Would you like it?', 'I am in a meeting.', 'requested_callback_later'],
  ])('%s %s -> %s', async (question, words, outcome) => {
    expect((await conclude(pair(question, words))).outcome).toBe(outcome)
  })
})

function field(name: string, type: StructuredOutputField['type']): StructuredOutputField {
  return { name, type, required: false }
}
