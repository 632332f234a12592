import { afterEach, describe, expect, it } from 'vitest'

import { ToneWordDecoder } from '#shared/audio/tone-words.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { SpeechChunk, SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'
import type { FakeVoice, FakeVoiceOptions } from '#test/support/fakes/fake-cartesia.ts'

import { openVoice, VENDORS } from './vendor-voices.ts'

const CHARLOTTE = { id: 'vp1-charlotte', provider: 'voice_provider_1' } as const
const IDLE_MS = 50_000

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function open(
  vendor: (typeof VENDORS)[number],
  options: { readonly fake?: FakeVoiceOptions; readonly apiKey?: string } = {},
) {
  const fake: FakeVoice = await vendor.start(options.fake)
  const parts = openVoice(vendor, fake, options.apiKey)
  opened.push(async () => {
    parts.voice.close()
    await fake[Symbol.asyncDispose]()
  })
  return { fake, ...parts }
}

function say(voice: TextToSpeech, request: Partial<SpeechRequest> = {}, signal?: AbortSignal) {
  const whole = { text: 'One two.', voice: null, pronunciationDictionaryId: null, ...request }
  return voice.synthesize(whole, signal ?? new AbortController().signal)
}

function wordsIn(chunks: readonly SpeechChunk[]): string {
  const audio = Buffer.concat([
    ...chunks.map((chunk) => chunk.audio),
    new Uint8Array(800).fill(255),
  ])
  return new ToneWordDecoder()
    .push(audio)
    .map(({ text }) => text)
    .join(' ')
}

async function saidBy(chunks: AsyncIterable<SpeechChunk>): Promise<string> {
  return wordsIn(await Array.fromAsync(chunks))
}

async function errorOf(chunks: AsyncIterable<SpeechChunk>): Promise<AdapterError> {
  const error = await Array.fromAsync(chunks).then(
    () => null,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(AdapterError)
  return error as AdapterError
}

const [CARTESIA, ELEVENLABS, INWORLD] = VENDORS as [
  (typeof VENDORS)[number],
  (typeof VENDORS)[number],
  (typeof VENDORS)[number],
]

describe('requests of voice_provider_1', () => {
  const generation = {
    model_id: 'sonic-3.5',
    voice: { mode: 'id', id: 'default-voice' },
    output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8_000 },
    max_buffer_delay_ms: 0,
    add_timestamps: true,
    generation_config: { speed: 1, volume: 1 },
  }

  it('ask for mu-law, word times, and what the assistant wants', async () => {
    const { fake, voice } = await open(CARTESIA)
    const wanted = { ...CHARLOTTE, model: 'tts_model_1', speed: 9, volume: 0.1 } as const
    await saidBy(say(voice, { voice: wanted, pronunciationDictionaryId: 'dict' }))
    await saidBy(say(voice, { text: ' Three. ' }))
    const own = {
      ...generation,
      model_id: 'sonic-3',
      voice: { mode: 'id', id: 'vendors-charlotte' },
      language: 'fr',
      generation_config: { speed: 1.5, volume: 0.5 },
      pronunciation_dict_id: 'dict',
    }
    expect(fake.connections[0]?.received).toEqual([
      { ...own, context_id: 'c2', transcript: 'One two. ', continue: true },
      { ...own, context_id: 'c2', transcript: '', continue: false },
      { ...generation, context_id: 'c4', transcript: 'Three. ', continue: true },
      { ...generation, context_id: 'c4', transcript: '', continue: false },
    ])
    expect(fake.connections).toHaveLength(1)
    expect(fake.connections[0]?.headers['cartesia-version']).toBe('2026-03-01')
  })

  it('say an utterance in one context, which ends when nothing more comes', async () => {
    const { fake, voice } = await open(CARTESIA)
    const utterance = 'turn'
    const said = await Promise.all([
      saidBy(say(voice, { utterance })),
      saidBy(say(voice, { utterance, text: 'Three.' })),
    ])
    expect(said).toEqual(['One two.', 'Three.'])
    await fake.until(() => fake.connections[0]?.received.length === 3)
    expect(fake.connections[0]?.received).toMatchObject([
      { context_id: 'c1', transcript: 'One two. ', continue: true },
      { context_id: 'c1', transcript: 'Three. ', continue: true },
      { context_id: 'c1', transcript: '', continue: false },
    ])
    await fake.until(() => fake.openContexts() === 0)
    expect(await saidBy(say(voice, { utterance, text: 'Four.' }))).toBe('Four.')
  })

  it('cancel, and what still comes is not heard', async () => {
    const { fake, voice } = await open(CARTESIA)
    const controller = new AbortController()
    const reason = new Error('interrupted')
    const chunks = say(voice, { text: 'One two three four five.' }, controller.signal)
    const iterator = chunks[Symbol.asyncIterator]()
    await iterator.next()
    controller.abort(reason)
    await expect(iterator.next()).rejects.toBe(reason)
    expect(await saidBy(say(voice, { text: 'Six.' }))).toBe('Six.')
    expect(fake.connections[0]?.received).toContainEqual({ context_id: 'c2', cancel: true })
    expect(fake.connections).toHaveLength(1)
  })

  it('beyond what the account may have open fail, and may be repeated', async () => {
    const { voice } = await open(CARTESIA, { fake: { maxContexts: 1 } })
    const first = saidBy(say(voice))
    expect(await errorOf(say(voice))).toMatchObject({ status: 429, retryable: true })
    expect(await first).toBe('One two.')
  })
})

describe('requests of voice_provider_2', () => {
  it('give the settings once, before any text, and close the context at once', async () => {
    const { fake, voice } = await open(ELEVENLABS)
    const wanted = { ...CHARLOTTE, provider: 'voice_provider_2', speed: 1.5, volume: 2 } as const
    await saidBy(say(voice, { voice: wanted, pronunciationDictionaryId: 'dict:v3' }))
    const [connection] = fake.connections
    expect(connection?.path).toBe('/v1/text-to-speech/vendors-charlotte/multi-stream-input')
    expect(Object.fromEntries(connection?.query ?? [])).toEqual({
      model_id: 'eleven_flash_v2_5',
      output_format: 'ulaw_8000',
      auto_mode: 'true',
      inactivity_timeout: '180',
      language_code: 'fr',
    })
    expect(connection?.received).toEqual([
      {
        text: ' ',
        context_id: 'c2',
        voice_settings: { speed: 1.2 },
        pronunciation_dictionary_locators: [
          { pronunciation_dictionary_id: 'dict', version_id: 'v3' },
        ],
      },
      { text: 'One two. ', context_id: 'c2', flush: true },
      { context_id: 'c2', close_context: true },
    ])
  })

  it('say an utterance sentence by sentence, one context after the other', async () => {
    const { fake, voice } = await open(ELEVENLABS)
    const utterance = 'turn'
    const said = ['One.', 'Two.', 'Three.'].map((text) => saidBy(say(voice, { utterance, text })))
    expect(await Promise.all(said)).toEqual(['One.', 'Two.', 'Three.'])
    const opening = fake.connections[0]?.received.filter((frame) =>
      Object.hasOwn(frame as object, 'voice_settings'),
    )
    expect(opening).toHaveLength(3)
    expect(fake.connections).toHaveLength(1)
  })

  it('take another connection for the sixth context, and for another voice', async () => {
    const { fake, voice } = await open(ELEVENLABS)
    const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.']
    expect(await Promise.all(texts.map((text) => saidBy(say(voice, { text }))))).toEqual(texts)
    expect(fake.connections).toHaveLength(2)
    await saidBy(say(voice, { voice: { ...CHARLOTTE, provider: 'voice_provider_2' } }))
    expect(fake.connections).toHaveLength(3)
  })

  it('count a context that was left until the vendor says that it is over', async () => {
    const { fake, voice } = await open(ELEVENLABS)
    for (let round = 0; round < 6; round += 1) {
      for await (const chunk of say(voice, { text: 'One two three.' })) {
        expect(chunk.audio.length).toBeGreaterThan(0)
        break
      }
    }
    expect(await saidBy(say(voice, { text: 'Four.' }))).toBe('Four.')
    await fake.until(() => fake.openContexts() === 0)
    expect(fake.openSockets()).toBe(fake.connections.length)
  })
})

describe('requests of voice_provider_3', () => {
  it('ask for mu-law, word times, and what the assistant wants', async () => {
    const { fake, voice } = await open(INWORLD)
    const wanted = { ...CHARLOTTE, provider: 'voice_provider_3', speed: 0.1, volume: 2 } as const
    await saidBy(say(voice, { voice: wanted, pronunciationDictionaryId: 'dict' }))
    expect(fake.connections[0]?.received).toEqual([
      {
        create: {
          voiceId: 'vendors-charlotte',
          modelId: 'inworld-tts-2',
          audioConfig: { audioEncoding: 'MULAW', sampleRateHertz: 8_000, speakingRate: 0.6 },
          language: 'fr',
          timestampType: 'WORD',
        },
        contextId: 'c2',
      },
      { send_text: { text: 'One two. ' }, contextId: 'c2' },
      { flush_context: {}, contextId: 'c2' },
      { close_context: {}, contextId: 'c2' },
    ])
  })

  it('say an utterance in one context', async () => {
    const { fake, voice } = await open(INWORLD)
    const utterance = 'turn'
    const said = await Promise.all([
      saidBy(say(voice, { utterance })),
      saidBy(say(voice, { utterance, text: 'Three.' })),
    ])
    expect(said).toEqual(['One two.', 'Three.'])
    await fake.until(() => fake.openContexts() === 0)
    const creations = fake.connections[0]?.received.filter((frame) =>
      Object.hasOwn(frame as object, 'create'),
    )
    expect(creations).toHaveLength(1)
  })
})

describe.each(VENDORS)('what goes wrong with $provider', (vendor) => {
  it('a wrong key is final, and not shown', async () => {
    const { voice } = await open(vendor, { apiKey: 'wrong' })
    const error = await errorOf(say(voice))
    expect(error).toMatchObject({ status: 401, retryable: false })
    expect(error.message).not.toContain('wrong')
  })

  it('an error of one text leaves the others alone', async () => {
    const { fake, voice } = await open(vendor)
    fake.fail({ kind: 'error', code: 4, afterWords: 1 })
    const [failed, said] = await Promise.all([errorOf(say(voice)), saidBy(say(voice))])
    expect(failed.message).toBe(`${vendor.provider} reported an error`)
    expect(said).toBe('One two.')
  })

  it('what came before the error is heard', async () => {
    const { fake, voice } = await open(vendor)
    fake.fail({ kind: 'error', code: 500, afterWords: 2 })
    const chunks: SpeechChunk[] = []
    const reading = (async () => {
      for await (const chunk of say(voice, { text: 'One two three.' })) chunks.push(chunk)
    })()
    await expect(reading).rejects.toBeInstanceOf(AdapterError)
    expect(wordsIn(chunks)).toBe('One two')
  })

  it('a connection that drops fails what is said over it, and the next text has another', async () => {
    const { fake, voice } = await open(vendor)
    fake.fail({ kind: 'drop', afterWords: 1 })
    const both = await Promise.allSettled([saidBy(say(voice)), saidBy(say(voice))])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(both[0]).toMatchObject({ reason: { retryable: true } })
    expect(await saidBy(say(voice))).toBe('One two.')
    expect(fake.connections).toHaveLength(2)
  })

  it('garbage is passed over, complained about once, and never shown in the log', async () => {
    const { fake, voice, logger } = await open(vendor)
    fake.fail({ kind: 'garbage', afterWords: 1 })
    expect(await saidBy(say(voice))).toBe('One two.')
    expect(logger.messages).toEqual(['a vendor sent a message that makes no sense'])
  })

  it('a voice that stops in the middle is waited for no longer than the caller wants', async () => {
    const { fake, voice } = await open(vendor)
    fake.fail({ kind: 'stall', afterWords: 1 })
    const controller = new AbortController()
    const chunks: SpeechChunk[] = []
    const reading = (async () => {
      for await (const chunk of say(voice, {}, controller.signal)) {
        chunks.push(chunk)
        if (wordsIn(chunks) === 'One') controller.abort(new Error('too long'))
      }
    })()
    await expect(reading).rejects.toThrow('too long')
    expect(await saidBy(say(voice))).toBe('One two.')
  })

  it('a connection that is not used is given back', async () => {
    const { fake, voice, timers } = await open(vendor)
    await saidBy(say(voice))
    await fake.until(() => fake.openContexts() === 0)
    await timers.set(IDLE_MS)
    timers.fire(IDLE_MS)
    await fake.until(() => fake.openSockets() === 0)
    expect(timers.waiting()).toEqual([])
    expect(await saidBy(say(voice))).toBe('One two.')
  })

  it('a voice that is closed leaves nothing open', async () => {
    const { fake, voice, timers } = await open(vendor)
    const said = errorOf(say(voice))
    await fake.until(() => fake.openSockets() === 1)
    voice.close()
    await said
    await fake.until(() => fake.openSockets() === 0)
    expect(timers.waiting()).toEqual([])
  })
})

describe('errors of the vendors', () => {
  const table: readonly (readonly [string, number, boolean])[] = [
    ['voice_provider_1', 400, false],
    ['voice_provider_1', 402, false],
    ['voice_provider_1', 429, true],
    ['voice_provider_1', 500, true],
    ['voice_provider_2', 400, false],
    ['voice_provider_2', 1008, false],
    ['voice_provider_2', 429, true],
    ['voice_provider_2', 1011, true],
    ['voice_provider_3', 3, false],
    ['voice_provider_3', 7, false],
    ['voice_provider_3', 4, true],
    ['voice_provider_3', 8, true],
    ['voice_provider_3', 14, true],
  ]
  it.each(table)('%s %i: worth repeating %s', async (provider, code, retryable) => {
    const vendor = VENDORS.find((one) => one.provider === provider)!
    const { fake, voice } = await open(vendor)
    fake.fail({ kind: 'error', code })
    expect(await errorOf(say(voice))).toMatchObject({ status: code, retryable })
  })
})
