import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { framesOf, FRAME_MS, SILENT_FRAME } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { ToneWordDecoder } from '#shared/audio/tone-words.ts'
import { parseWav, wavChannels } from '#shared/audio/wav.ts'
import type { CallOrder } from '#test/support/generated/parley-client.ts'
import { alwaysOpen, LocalStackProcess } from '#test/support/local-stack.ts'
import { ToneDetector } from '#voice/media/tone-detector.ts'

const PROMPT = 'You are Ava from Northwind Dental. Offer a check-up and ask which day suits best.'
const VOICEMAIL_MESSAGE = 'Hello Sam, this is Ava from Northwind Dental. Please call us back.'

interface Expected {
  readonly order: string
  readonly outcome: string | null
  /** Allowed, and made. */
  readonly attempts: readonly [allowed: number, made: number]
  /** Of the last attempt. */
  readonly status: string
  readonly result: string | null
  readonly dialError: string | null
  readonly endReason: string | null
  readonly endedBy: string | null
}

const NEVER_REACHED = {
  order: 'completed',
  outcome: null,
  attempts: [2, 2],
  status: 'error',
  result: null,
  endReason: null,
  endedBy: null,
} as const

const TALKED = {
  order: 'completed',
  attempts: [2, 1],
  status: 'completed',
  result: 'human',
  dialError: null,
  endReason: 'tool_end_call',
  endedBy: 'agent',
} as const

/** What becomes of a call to each test number, without a delay between its attempts. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  '+12025550100': { ...TALKED, outcome: 'interested' },
  '+12025550101': { ...NEVER_REACHED, dialError: 'busy' },
  '+12025550102': { ...NEVER_REACHED, dialError: 'no_answer' },
  '+12025550103': { ...NEVER_REACHED, dialError: 'temporarily_unavailable' },
  // Never retried, and never placed at all.
  '+12025550104': {
    ...NEVER_REACHED,
    order: 'errored',
    attempts: [2, 1],
    dialError: 'number_non_attributed',
  },
  '+12025550105': {
    ...TALKED,
    outcome: null,
    attempts: [2, 2],
    result: 'voicemail',
    endReason: 'voicemail',
  },
  '+12025550108': { ...TALKED, outcome: 'requested_callback_later' },
  '+12025550109': { ...TALKED, outcome: 'interested' },
  '+12025550110': { ...TALKED, outcome: null, endReason: null, endedBy: 'user' },
  '+12025550111': { ...TALKED, outcome: 'interested', attempts: [2, 2] },
  '+12025550113': {
    ...TALKED,
    outcome: null,
    attempts: [1, 1],
    result: 'unknown',
    endReason: 'user_inactive',
  },
}
const NUMBERS = Object.keys(EXPECTED)

let stack: LocalStackProcess
/** By number. */
const ended = new Map<string, CallOrder>()

beforeAll(async () => {
  // Real time: so many calls at once leave a busy machine no room to hurry.
  stack = await LocalStackProcess.start({ args: ['--speed', '1'] })
  // A process that has only just started stands still now and then, which a conversation does not bear.
  await stack.callEnded((await place('+12025550110', 1)).id)
})

afterAll(() => stack?.stop())

const place = (phoneNumber: string, attempts: number) =>
  stack.placeCall({
    phone_number: phoneNumber,
    assistant: {
      prompt: PROMPT,
      voicemail_message: VOICEMAIL_MESSAGE,
      call_retry_config: alwaysOpen(attempts, 0),
    },
  })

describe('calls to all test numbers at once', () => {
  beforeAll(async () => {
    const placed = await Promise.all(
      NUMBERS.map((number) => place(number, EXPECTED[number]!.attempts[0])),
    )
    for (const { id, to_phone_number } of placed) {
      ended.set(to_phone_number, await stack.callEnded(id))
    }
  })

  it.each(NUMBERS)('%s ends as the decisions say', async (number) => {
    const call = ended.get(number)!
    const attempt = call.last_call_attempt
    expect({
      order: call.status,
      outcome: call.outcome,
      attempts: [EXPECTED[number]!.attempts[0], call.calls_count],
      status: attempt?.status,
      result: attempt?.result,
      dialError: attempt?.dial_error,
      endReason: attempt?.end_reason,
      endedBy: attempt?.ended_by,
    }).toEqual(EXPECTED[number])
    expect(call.is_completed).toBe(call.status === 'completed')
    expect(call.next_call_at).toBeNull()
  })

  it.each(NUMBERS)('%s is dialled once for each attempt', async (number) => {
    const call = ended.get(number)!
    const dials = await stack.dials(call.id)
    expect(dials.map(({ to }) => to)).toEqual(Array(call.calls_count).fill(number))
    expect(dials.map(({ attempt_id }) => attempt_id).toReversed()).toEqual(
      call.call_attempts.map(({ id }) => id),
    )
  })

  it.each(NUMBERS)('%s tells by its times whether it was answered', (number) => {
    for (const attempt of ended.get(number)!.call_attempts) {
      const isAnswered = attempt.dial_error === null
      expect(attempt.answered_at !== null).toBe(isAnswered)
      expect(attempt.handled_by_ai).toBe(isAnswered)
      expect(attempt.recording_url !== null).toBe(isAnswered)
      const moments = [attempt.started_at, attempt.answered_at, attempt.ended_at].filter(
        (moment) => moment !== null,
      )
      expect(moments).toEqual(moments.toSorted())
      expect(moments).toHaveLength(isAnswered ? 3 : 2)
    }
  })

  it('0100 was a conversation in which both understood every word', async () => {
    const call = ended.get('+12025550100')!
    const { transcript } = call.last_call_attempt!
    const [dial] = await stack.dials(call.id)
    expect(linesOf(transcript, 'user').join(' ')).toContain('Tuesday morning would be best.')
    expect(linesOf(transcript, 'assistant').at(-1)).toMatch(/Goodbye\.$/)
    expect(dial!.said).toContain('Tuesday morning would be best.')
  })
})

describe('a voicemail and a person who interrupts', () => {
  let voicemail: CallOrder
  let interrupted: CallOrder
  let heard: readonly string[]

  beforeAll(async () => {
    voicemail = ended.get('+12025550105')!
    interrupted = ended.get('+12025550109')!
    heard = (await stack.dials(interrupted.id))[0]!.heard
  })

  it('0105 takes down the message word by word', async () => {
    const [dial] = await stack.dials(voicemail.id)
    expect(dial!.heard.join(' ')).toBe(VOICEMAIL_MESSAGE)
    expect(linesOf(voicemail.last_call_attempt!.transcript, 'assistant')).toEqual([
      VOICEMAIL_MESSAGE,
    ])
  })

  it('0105 has the message in its recording, after the beep', async () => {
    const response = await fetch(voicemail.last_call_attempt!.recording_url!)
    const wav = parseWav(new Uint8Array(await response.arrayBuffer()))
    const [callee, agent] = wavChannels(wav)
    const decoder = new ToneWordDecoder()
    // The recording may end with the last word, and the decoder waits for a little more.
    const words = [...framesOf(encodeMulaw(agent!)), SILENT_FRAME].flatMap((frame) =>
      decoder.push(frame),
    )
    expect(words.map(({ text }) => text).join(' ')).toBe(VOICEMAIL_MESSAGE)
    expect(words[0]!.startMs).toBeGreaterThan(beepEndMs(encodeMulaw(callee!)))
  })

  it('0109 cuts the agent, and the transcript keeps only what was heard', () => {
    const { transcript, speech_events } = interrupted.last_call_attempt!
    const [cut, ...others] = speech_events.filter(({ was_cut }) => was_cut === true)
    expect(others).toEqual([])
    const words = cut!.transcript.split(' ')
    expect(words.length).toBeGreaterThan(1)
    expect(heard.slice(0, words.length)).toEqual(words)
    expect(PROMPT).not.toContain(cut!.transcript)
    const lines = transcript.map(({ role, content }) => `${role}: ${content}`)
    expect(lines.slice(0, 3)).toEqual([
      'user: Hello?',
      `assistant: ${cut!.transcript}`,
      'user: Wait, I have a question.',
    ])
  })

  it('0109 hears the agent go on when all that was said over it is mm-hm', async () => {
    const { transcript, speech_events } = interrupted.last_call_attempt!
    const [dial] = await stack.dials(interrupted.id)
    expect(dial!.said).toContain('Mm-hm.')
    const murmur = speech_events.find((event) => event.transcript === 'Mm-hm.')!
    expect(murmur.is_real_turn).toBe(false)
    const speech = speech_events.find(
      (event) =>
        event.speaker === 'agent' &&
        event.started_speaking_at_ms < murmur.started_speaking_at_ms &&
        event.stopped_speaking_at_ms! > murmur.stopped_speaking_at_ms!,
    )!
    expect(speech.was_cut).toBe(false)
    expect(heard.join(' ')).toContain(speech.transcript)
    expect(linesOf(transcript, 'assistant')).toContain(speech.transcript)
    expect(linesOf(transcript, 'user').join(' ')).not.toContain('Mm-hm')
  })
})

function linesOf(
  transcript: readonly { readonly role: string; readonly content: string }[],
  role: string,
): string[] {
  return transcript.filter((entry) => entry.role === role).map(({ content }) => content)
}

/** When the only steady tone of the callee's side was over. */
function beepEndMs(audio: Uint8Array): number {
  const detector = new ToneDetector()
  const ends = framesOf(audio).flatMap((frame, index) =>
    detector.push(frame)?.type === 'toneEnded' ? [index * FRAME_MS] : [],
  )
  expect(ends).toHaveLength(1)
  return ends[0]! - FRAME_MS
}
