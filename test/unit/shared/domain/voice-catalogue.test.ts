import { describe, expect, test } from 'vitest'

import { VOICE_PROVIDERS } from '#shared/domain/assistant.ts'
import { findVoices, VOICE_CATALOGUE } from '#shared/domain/voice-catalogue.ts'

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
