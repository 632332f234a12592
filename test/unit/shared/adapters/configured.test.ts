import { describe, expect, it } from 'vitest'

import type { Environment } from '#shared/adapters/environment.ts'
import { configuredLanguageModel } from '#shared/adapters/llm/configured.ts'
import { simulatedLanguageModel } from '#shared/adapters/llm/simulated.ts'
import { configuredSpeechToText } from '#shared/adapters/stt/configured.ts'
import { configuredTextToSpeech } from '#shared/adapters/tts/configured.ts'
import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import type { VoiceProvider } from '#shared/domain/assistant.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

const NOWHERE = 'ws://127.0.0.1:1'
const deps = { timers: manualTimers(), logger: collectingLogger(), simulated: simulatedTones() }

describe('the recogniser of the environment', () => {
  it('is none without a key', () => {
    expect(configuredSpeechToText({}, deps)).toBeNull()
    expect(configuredSpeechToText({ STT_API_KEY: '' }, deps)).toBeNull()
    expect(configuredSpeechToText({ STT_API_KEY: 'key' }, deps)).not.toBeNull()
  })

  it.each([
    [{ STT_URL: 'https://x.test' }, 'STT_URL must be a URL that begins with wss:// or ws://'],
    [{ STT_FRAMES_PER_MESSAGE: '0' }, 'STT_FRAMES_PER_MESSAGE must be a number from 1 to 50'],
    [{ STT_MAX_ENDPOINT_DELAY_MS: 'x' }, 'STT_MAX_ENDPOINT_DELAY_MS must be a number'],
  ])('%j is refused', (environment, message) => {
    expect(() => configuredSpeechToText({ STT_API_KEY: 'key', ...environment }, deps)).toThrow(
      message,
    )
  })
})

describe('the model of the environment', () => {
  /** Every model that is asked, in order; all of them fail. */
  async function asked(environment: Environment, model: LlmModel): Promise<string[]> {
    const names: string[] = []
    const failing: LanguageModel = {
      // oxlint-disable-next-line require-yield
      async *stream(request) {
        names.push(request.model.type === 'dedicated-instance' ? request.model.name : 'own')
        throw new Error('broken')
      },
    }
    const resilient = configuredLanguageModel(environment, { ...deps, model: failing })
    const signal = new AbortController().signal
    const answer = Array.fromAsync(resilient.stream({ model, messages: [], tools: [] }, signal))
    await expect(answer).rejects.toThrow('broken')
    return names
  }

  const dedicated = { type: 'dedicated-instance', name: 'dedicated_model_2' } as const
  const router = { type: 'router', routerModelId: 'm', routerProvider: 'p' } as const
  const custom = { type: 'custom', apiKey: 'k', apiUrl: NOWHERE, modelName: 'm' } as const

  it.each([
    [{}, dedicated, ['dedicated_model_2', 'dedicated_model_1']],
    [{}, router, ['own', 'dedicated_model_1', 'dedicated_model_2']],
    [{ LLM_FALLBACKS: ' dedicated_model_2' }, router, ['own', 'dedicated_model_2']],
    [{}, custom, ['own']],
  ])('%j: %j is made up for by %j', async (environment, model, names) => {
    expect(await asked(environment, model)).toEqual(names)
  })

  it.each([
    [{ LLM_FALLBACKS: 'another' }, 'LLM_FALLBACKS must list some of dedicated_model_1'],
    [{ LLM_FIRST_CHUNK_MS: '-1' }, 'LLM_FIRST_CHUNK_MS must be a number from 1 to 60000'],
    [{ LLM_HEDGE_AFTER_MS: 'soon' }, 'LLM_HEDGE_AFTER_MS must be a number'],
  ])('%j is refused', (environment, message) => {
    expect(() =>
      configuredLanguageModel(environment, { ...deps, model: simulatedLanguageModel }),
    ).toThrow(message)
  })
})

describe('the voices of the environment', () => {
  /** Whether the simulated voice speaks: vendors are nowhere. */
  async function isSimulated(environment: Environment, provider: VoiceProvider | null) {
    const voice = configuredTextToSpeech(environment, deps)
    const request = {
      text: 'Yes.',
      voice: provider === null ? null : { id: 'x', provider },
      pronunciationDictionaryId: null,
    }
    const chunks = Array.fromAsync(voice.synthesize(request, new AbortController().signal))
    return chunks.then(
      () => true,
      () => false,
    )
  }

  it.each([
    ['voice_provider_1', false],
    ['voice_provider_2', true],
    ['voice_provider_3', true],
    [null, false],
  ] as const)(
    'with a key for voice_provider_1, %s is simulated: %s',
    async (provider, expected) => {
      const key = { VOICE_PROVIDER_1_API_KEY: 'key', VOICE_PROVIDER_1_URL: NOWHERE }
      expect(await isSimulated(key, provider)).toBe(expected)
    },
  )

  it('speak for assistants without a voice as VOICE_DEFAULT says', async () => {
    const key = { VOICE_PROVIDER_3_API_KEY: 'key', VOICE_PROVIDER_3_URL: NOWHERE }
    expect(await isSimulated(key, null)).toBe(false)
    expect(await isSimulated({ ...key, VOICE_DEFAULT: 'vp2-maya' }, null)).toBe(true)
    expect(await isSimulated({}, null)).toBe(true)
  })

  it.each([
    [{ VOICE_IDS: '[]' }, 'VOICE_IDS must be a JSON object of strings'],
    [{ VOICE_IDS: '{"a":1}' }, 'VOICE_IDS must be a JSON object of strings'],
    [{ VOICE_IDS: '{' }, 'VOICE_IDS must be a JSON object of strings'],
    [{ VOICE_DEFAULT: 'nobody' }, 'VOICE_DEFAULT must be the id of a voice of the catalogue'],
    [
      { VOICE_PROVIDER_1_API_KEY: 'key', VOICE_PROVIDER_1_MODELS: '{"tts_model_9":"x"}' },
      'VOICE_PROVIDER_1_MODELS must name tts_model_1, tts_model_2, tts_model_3 only',
    ],
    [
      { VOICE_PROVIDER_2_API_KEY: 'key', VOICE_PROVIDER_2_URL: 'x' },
      'VOICE_PROVIDER_2_URL must be a URL',
    ],
  ])('%j is refused', (environment, message) => {
    expect(() => configuredTextToSpeech(environment, deps)).toThrow(message)
  })
})
