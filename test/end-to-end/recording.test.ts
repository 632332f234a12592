import { afterAll, beforeAll, expect, it } from 'vitest'

import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { ToneWordDecoder } from '#shared/audio/tone-words.ts'
import { parseWav, wavChannels, type WavAudio } from '#shared/audio/wav.ts'
import type { CallAttemptWire } from '#shared/contract/call-attempt.ts'
import { succeeded } from '#test/support/api-client.ts'
import { LocalStackProcess } from '#test/support/local-stack.ts'

const CALL_SECS = 8
/** Of 32768; the line of the simulated carrier has no noise. */
const AUDIBLE = 1_000
const BACKGROUND = 300

let stack: LocalStackProcess
let attempt: CallAttemptWire
let response: Response
let wav: WavAudio
let withSounds: CallAttemptWire
let wavWithSounds: WavAudio

beforeAll(async () => {
  // Real time: what a call takes longer than its sound must not be multiplied.
  stack = await LocalStackProcess.start({ args: ['--speed', '1'] })
  const { id } = await stack.placeCall({
    phone_number: '+12025550100',
    force_now: true,
    assistant: {
      prompt: 'You are Ava from Northwind Dental. Offer a check-up.',
      max_call_duration_secs: CALL_SECS,
    },
  })
  const { assistant } = await succeeded(
    stack.api.createAssistant({
      body: {
        name: 'In an office',
        prompt: 'You are Ava from Northwind Dental. Offer a check-up.',
        max_call_duration_secs: CALL_SECS,
        background_sound: 'audio/office.ogg',
        background_sound_volume: 1,
      },
    }),
  )
  const other = await stack.placeCall({
    phone_number: '+12025550118',
    force_now: true,
    assistant_id: assistant.id,
  })
  attempt = (await stack.callEnded(id)).last_call_attempt!
  withSounds = (await stack.callEnded(other.id)).last_call_attempt!
  response = await fetch(attempt.recording_url!)
  wav = parseWav(new Uint8Array(await response.arrayBuffer()))
  const second = await fetch(withSounds.recording_url!)
  wavWithSounds = parseWav(new Uint8Array(await second.arrayBuffer()))
})

afterAll(() => stack?.stop())

it('ends at its longest duration, by the system', () => {
  expect(attempt).toMatchObject({ result: 'human', end_reason: 'max_duration', ended_by: 'system' })
})

it('is served as a stereo WAV', () => {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('audio/wav')
  expect(wav).toMatchObject({ channels: 2, sampleRateHz: 8_000 })
})

it('is as long as the call', () => {
  const callSecs = (Date.parse(attempt.ended_at!) - Date.parse(attempt.answered_at!)) / 1_000
  const lengthSecs = wavChannels(wav)[0]!.length / wav.sampleRateHz
  // The process that ends the call and the one that notes it have clocks of their own.
  expect(callSecs).toBeGreaterThan(CALL_SECS - 0.5)
  expect(Math.abs(lengthSecs - callSecs)).toBeLessThan(0.5)
})

it('has the callee on the left and the agent on the right, each when they spoke', () => {
  const [callee, agent] = wavChannels(wav)
  const greeting = attempt.speech_events.find(({ speaker }) => speaker === 'user')!
  const opening = attempt.speech_events.find(({ speaker }) => speaker === 'agent')!
  expect(loudest(callee!, greeting)).toBeGreaterThan(AUDIBLE)
  expect(loudest(agent!, greeting)).toBeLessThan(AUDIBLE)
  expect(loudest(agent!, opening)).toBeGreaterThan(AUDIBLE)
  // The agent speaks in tones that tell its words.
  const words = new ToneWordDecoder().push(encodeMulaw(agent!)).map(({ text }) => text)
  expect(words.join(' ')).toContain('Hello, this is Ava from Northwind Dental.')
  expect(new ToneWordDecoder().push(encodeMulaw(callee!))).toEqual([])
})

it('holds the background sound on the side of the agent, under and between the words', () => {
  const [callee, agent] = wavChannels(wavWithSounds)
  const greeting = withSounds.speech_events.find(({ speaker }) => speaker === 'user')!
  const opening = withSounds.speech_events.find(({ speaker }) => speaker === 'agent')!
  expect(loudest(agent!, greeting)).toBeGreaterThan(BACKGROUND)
  expect(loudest(callee!, opening)).toBeLessThan(BACKGROUND)
  // Whoever recognises the callee hears nothing of it, and the callee still understands the agent.
  expect(greeting.transcript).toBe(
    attempt.speech_events.find(({ speaker }) => speaker === 'user')!.transcript,
  )
  const [, quiet] = wavChannels(wav)
  expect(loudest(quiet!, greeting)).toBeLessThan(BACKGROUND)
})

function loudest(
  samples: Int16Array,
  speech: {
    readonly started_speaking_at_ms: number
    readonly stopped_speaking_at_ms: number | null
  },
): number {
  const from = Math.round(speech.started_speaking_at_ms * 8)
  const to = Math.round((speech.stopped_speaking_at_ms ?? Infinity) * 8)
  return samples.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
}
