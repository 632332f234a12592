import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { configuredTextToSpeech } from '#shared/adapters/tts/configured.ts'
import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import type { VendorVoice } from '#shared/adapters/tts/vendor-voice.ts'
import { ToneWordDecoder } from '#shared/audio/tone-words.ts'
import type { SpeechChunk, SpeechRequest } from '#shared/ports/text-to-speech.ts'
import { CARTESIA_KEY, startFakeCartesia } from '#test/support/fakes/fake-cartesia.ts'
import type { FakeVoice } from '#test/support/fakes/fake-cartesia.ts'
import { ELEVENLABS_KEY, startFakeElevenLabs } from '#test/support/fakes/fake-elevenlabs.ts'
import { Happenings } from '#test/support/fakes/happenings.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

import { textToSpeechSuite } from './text-to-speech-suite.ts'

const FIRST_MS = 1_700
const NEXT_MS = 1_300
const TEXT = 'One two three four.'

let first: FakeVoice
let second: FakeVoice
const opened: VendorVoice[] = []
beforeEach(async () => {
  first = await startFakeCartesia()
  second = await startFakeElevenLabs({ timers: manualTimers() })
})
afterEach(async () => {
  for (const voice of opened.splice(0)) voice.close()
  await first[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
})

/** voice_provider_1 speaks, voice_provider_2 stands by, unless told otherwise. */
function open(changes: Readonly<Record<string, string>> = {}) {
  const timers = manualTimers()
  const logger = collectingLogger()
  const voice = configuredTextToSpeech(
    {
      VOICE_PROVIDER_1_API_KEY: CARTESIA_KEY,
      VOICE_PROVIDER_1_URL: first.url,
      VOICE_PROVIDER_2_API_KEY: ELEVENLABS_KEY,
      VOICE_PROVIDER_2_URL: second.url,
      VOICE_FIRST_CHUNK_MS: String(FIRST_MS),
      VOICE_NEXT_CHUNK_MS: String(NEXT_MS),
      ...changes,
    },
    { timers, logger, simulated: simulatedTones() },
  )
  opened.push(voice)
  const said: SpeechChunk[] = []
  const happenings = new Happenings()
  return {
    happenings,
    timers,
    logger,
    said,
    say: async (changes: Partial<SpeechRequest> = {}): Promise<string> => {
      const request = { text: TEXT, voice: null, pronunciationDictionaryId: 'dict', ...changes }
      for await (const chunk of voice.synthesize(request, new AbortController().signal)) {
        said.push(chunk)
        happenings.note()
      }
      return heardIn(said)
    },
  }
}

function heardIn(chunks: readonly SpeechChunk[]): string {
  const audio = Buffer.concat([
    ...chunks.map((chunk) => chunk.audio),
    new Uint8Array(800).fill(255),
  ])
  const words = new ToneWordDecoder().push(audio)
  return words.map(({ text }) => text).join(' ')
}

describe('a voice that dies in the middle of a sentence', () => {
  it.each([
    ['drops the connection', { kind: 'drop', afterWords: 2 }],
    ['reports an error', { kind: 'error', code: 500, afterWords: 2 }],
  ] as const)('and %s: another one says the rest, from the next word', async (_name, fault) => {
    first.fail(fault)
    const { say, said } = open()
    expect(
      await say({ voice: { id: 'vp1-charlotte', provider: 'voice_provider_1', speed: 1.1 } }),
    ).toBe(TEXT)
    const [connection] = second.connections
    expect(connection?.path).toContain('/vp2-camille/')
    expect(connection?.received[0]).toMatchObject({ voice_settings: { speed: 1.1 } })
    expect(connection?.received[0]).not.toHaveProperty('pronunciation_dictionary_locators')
    const words = said.flatMap((chunk) => chunk.words)
    expect(words.map(({ text }) => text).join(' ')).toBe(TEXT)
    const ends = words.map(({ endMs }) => endMs)
    expect(ends).toEqual(ends.toSorted((a, b) => a - b))
    const totalMs = said.reduce((sum, { audio }) => sum + audio.length, 0) / 8
    expect(ends.at(-1)).toBeGreaterThan(0.9 * totalMs)
    expect(ends.at(-1)).toBeLessThanOrEqual(totalMs)
  })

  it('and falls silent: the rest is said when that has lasted long enough', async () => {
    first.fail({ kind: 'stall', afterWords: 2 })
    const { say, said, timers, happenings } = open()
    const heard = say()
    await happenings.until(() => heardIn(said) === 'One two')
    await timers.set(NEXT_MS)
    timers.fire(NEXT_MS)
    expect(await heard).toBe(TEXT)
    expect(second.connections).toHaveLength(1)
  })

  it('is followed by itself over another connection where there is no other', async () => {
    first.fail({ kind: 'drop', afterWords: 2 })
    const { say } = open({ VOICE_PROVIDER_2_API_KEY: '' })
    expect(await say()).toBe(TEXT)
    expect(first.connections).toHaveLength(2)
  })

  it('is an error when nobody can go on', async () => {
    first.fail({ kind: 'drop', afterWords: 2 }, { kind: 'drop' })
    const { say, said } = open({ VOICE_PROVIDER_2_API_KEY: '' })
    await expect(say()).rejects.toMatchObject({ retryable: true })
    expect(heardIn(said)).toBe('One two')
  })
})

describe('a voice that does not begin', () => {
  it('because it fails: another one speaks', async () => {
    first.fail({ kind: 'error', code: 500 })
    const { say } = open()
    expect(await say()).toBe(TEXT)
    expect(second.connections).toHaveLength(1)
  })

  it('in time: another one speaks, and it is cancelled', async () => {
    first.fail({ kind: 'stall' })
    const { say, timers } = open()
    const heard = say()
    await first.until(() => first.openContexts() === 1)
    timers.fire(FIRST_MS)
    expect(await heard).toBe(TEXT)
    await first.until(() => first.openContexts() === 0)
  })

  it('is asked for by nobody else than VOICE_FALLBACKS says', async () => {
    first.fail({ kind: 'error', code: 500 })
    const { say } = open({ VOICE_FALLBACKS: 'voice_provider_1' })
    expect(await say()).toBe(TEXT)
    expect(second.connections).toHaveLength(0)
  })
})

describe('voices with fallbacks', () => {
  textToSpeechSuite(() => {
    const voice = configuredTextToSpeech(
      { VOICE_PROVIDER_1_API_KEY: CARTESIA_KEY, VOICE_PROVIDER_1_URL: first.url },
      { timers: manualTimers(), logger: collectingLogger(), simulated: simulatedTones() },
    )
    opened.push(voice)
    return voice
  })
})
