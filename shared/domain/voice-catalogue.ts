/** The voices that assistants may be given (spec 2.2, decisions 2 GET /voices). */

import { TTS_MODELS, type TtsModel, type Voice, type VoiceProvider } from './assistant.ts'

export const VOICE_GENDERS = ['female', 'male', 'neutral'] as const

export interface CatalogueVoice {
  readonly id: string
  readonly provider: VoiceProvider
  readonly name: string
  readonly gender: (typeof VOICE_GENDERS)[number]
  /** BCP 47. */
  readonly languages: readonly string[]
  readonly previewUrl: string | null
  /** Empty where the provider has one model only. */
  readonly models: readonly TtsModel[]
  readonly isCustom: boolean
}

type Row = readonly [name: string, gender: CatalogueVoice['gender'], languages: string]

const ROWS: Readonly<Record<VoiceProvider, readonly Row[]>> = {
  voice_provider_1: [
    ['Ava', 'female', 'en-US es-US'],
    ['Noah', 'male', 'en-US'],
    ['Imogen', 'female', 'en-GB'],
    ['Callum', 'male', 'en-GB'],
    ['Charlotte', 'female', 'fr-FR fr-CA'],
    ['Lukas', 'male', 'de-DE'],
    ['Lucia', 'female', 'es-ES es-MX'],
    ['Robin', 'neutral', 'en-US en-GB'],
  ],
  voice_provider_2: [
    ['Maya', 'female', 'en-US'],
    ['Ethan', 'male', 'en-US'],
    ['Camille', 'female', 'fr-FR'],
    ['Matteo', 'male', 'it-IT'],
    ['Ines', 'female', 'pt-PT pt-BR'],
    ['Sasha', 'neutral', 'en-US de-DE'],
  ],
  voice_provider_3: [
    ['Grace', 'female', 'en-US'],
    ['Oliver', 'male', 'en-GB'],
    ['Anouk', 'female', 'nl-NL fr-FR'],
    ['Emil', 'male', 'de-DE de-AT'],
    ['Yuki', 'female', 'ja-JP'],
    ['Alex', 'neutral', 'en-US en-AU'],
  ],
}

/** `voice_provider_1` with Ava gives `vp1-ava`. */
const voiceId = (provider: VoiceProvider, name: string) =>
  `vp${provider.at(-1)}-${name.toLowerCase()}`

export const VOICE_CATALOGUE: readonly CatalogueVoice[] = Object.entries(ROWS).flatMap(
  ([key, rows]) => {
    const provider = key as VoiceProvider
    return rows.map(([name, gender, languages]) => ({
      id: voiceId(provider, name),
      provider,
      name,
      gender,
      languages: languages.split(' '),
      previewUrl: null,
      models: provider === 'voice_provider_1' ? TTS_MODELS : [],
      isCustom: false,
    }))
  },
)

/** The voices of a provider that speak a language; `en` finds every English. */
export function findVoices(wanted: {
  readonly provider: VoiceProvider | null
  readonly language: string | null
}): CatalogueVoice[] {
  const { provider } = wanted
  const language = wanted.language?.toLowerCase() ?? null
  const speaks = (spoken: string) =>
    language === null || `${spoken.toLowerCase()}-`.startsWith(`${language}-`)
  return VOICE_CATALOGUE.filter(
    (voice) => (provider === null || voice.provider === provider) && voice.languages.some(speaks),
  )
}

/** The voice of another provider that sounds most like this one: its language first, then its gender. */
export function similarVoice(voice: Voice | null, provider: VoiceProvider): Voice {
  const own = VOICE_CATALOGUE.find(({ id }) => id === voice?.id)
  const likeness = (other: CatalogueVoice) =>
    (other.languages.some((tag) => own?.languages.includes(tag)) ? 4 : 0) +
    (languagesOf(other).some((language) => own && languagesOf(own).includes(language)) ? 2 : 0) +
    (other.gender === own?.gender ? 1 : 0)
  const candidates = VOICE_CATALOGUE.filter((other) => other.provider === provider)
  const best = candidates.reduce((a, b) => (likeness(b) > likeness(a) ? b : a))
  return { id: best.id, provider, ...(voice?.speed !== undefined && { speed: voice.speed }) }
}

/** ISO 639-1 codes of what a voice of the catalogue speaks; none for a voice that is not in it. */
export function languagesOfVoice(voice: Pick<Voice, 'id'> | null): string[] {
  const entry = VOICE_CATALOGUE.find(({ id }) => id === voice?.id)
  return entry === undefined ? [] : languagesOf(entry)
}

function languagesOf({ languages }: CatalogueVoice): string[] {
  return [...new Set(languages.map((tag) => tag.split('-')[0] ?? tag))]
}
