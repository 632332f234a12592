import { describe, expect, test } from 'vitest'

import { VOICE_PROVIDERS } from '#shared/domain/assistant.ts'
import {
  findVoices,
  languagesOfVoice,
  similarVoice,
  VOICE_CATALOGUE,
} from '#shared/domain/voice-catalogue.ts'

describe('the catalogue of voices', () => {
  test('has several voices of every provider, each under an id of its own', () => {
    for (const provider of VOICE_PROVIDERS) {
      expect(findVoices({ provider, language: null }).length).toBeGreaterThan(3)
    }
    const ids = VOICE_CATALOGUE.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('names languages as BCP 47 does', () => {
    const languages = VOICE_CATALOGUE.flatMap((voice) => voice.languages)
    expect(languages.map((language) => new Intl.Locale(language).toString())).toEqual(languages)
  })

  test.each([
    ['en', (language: string) => language.startsWith('en-')],
    ['EN-gb', (language: string) => language === 'en-GB'],
  ])('finds who speaks %s', (language, speaks) => {
    const found = findVoices({ provider: null, language })
    expect(found).toEqual(VOICE_CATALOGUE.filter((voice) => voice.languages.some(speaks)))
    expect(found).not.toHaveLength(0)
  })

  test.each(['e', 'en-G', 'xx'])('finds nobody who speaks %s', (language) => {
    expect(findVoices({ provider: null, language })).toEqual([])
  })
})

describe('languages of a voice', () => {
  test.each([
    ['vp1-ava', ['en', 'es']],
    ['vp2-ines', ['pt']],
    ['brought-along', []],
  ])('%s: %j', (id, languages) => {
    expect(languagesOfVoice({ id })).toEqual(languages)
  })

  test('are none without a voice', () => {
    expect(languagesOfVoice(null)).toEqual([])
  })
})

describe('a similar voice', () => {
  const voice = (id: string) => ({ id, provider: 'voice_provider_1' }) as const

  test.each([
    ['vp1-charlotte', 'voice_provider_2', 'vp2-camille'],
    ['vp1-noah', 'voice_provider_2', 'vp2-ethan'],
    ['vp1-callum', 'voice_provider_3', 'vp3-oliver'],
    ['vp1-lukas', 'voice_provider_3', 'vp3-emil'],
    ['brought-along', 'voice_provider_2', 'vp2-maya'],
  ] as const)('of %s at %s is %s', (id, provider, expected) => {
    expect(similarVoice(voice(id), provider)).toEqual({ id: expected, provider })
  })

  test('keeps the speed, and nothing that is one provider’s own', () => {
    const own = { ...voice('vp1-ava'), speed: 1.1, volume: 2, model: 'tts_model_1' } as const
    expect(similarVoice(own, 'voice_provider_2')).toEqual({
      id: 'vp2-maya',
      provider: 'voice_provider_2',
      speed: 1.1,
    })
    expect(similarVoice(null, 'voice_provider_3').id).toBe('vp3-grace')
  })
})
