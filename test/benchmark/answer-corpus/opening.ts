import { Prng } from '#test/simulation/prng.ts'

import type { Answerer, Greetings } from './greeting.ts'

/** Of the speech over the noise, in dB; null: no noise. */
export const SNRS = [null, 20, 10, 5] as const
export type Snr = (typeof SNRS)[number]

/** One call that is answered: everything of its sound is decided by this. */
export interface Opening {
  readonly id: string
  readonly answerer: Answerer
  readonly language: Greetings['language']
  /** Empty where nobody speaks. */
  readonly text: string
  /** An espeak-ng voice. */
  readonly voice: string
  readonly snrDb: Snr
  readonly seed: number
}

/** Those of espeak-ng's variants that say the same text the same way each time: no breath of chance. */
const VOICES: Readonly<Record<Greetings['language'], readonly string[]>> = {
  en: [
    'en-us+f1',
    'en-us+f4',
    'en-us+m1',
    'en-us+m3',
    'en-us+m4',
    'en-us+m7',
    'en-us+Andy',
    'en-us+Annie',
    'en-gb',
    'en-gb-scotland',
  ],
  de: ['de', 'de+f4', 'de+m3'],
  fr: ['fr-fr', 'fr-be'],
  es: ['es', 'es+m3', 'es-419'],
}

/** Openings in which nobody speaks, several of each. */
const SPEECHLESS: readonly Answerer[] = ['fax', 'fax', 'ringback', 'ringback', 'silence', 'silence']

/** Every greeting once at each level of noise, each time in another voice. */
export function openingsOf(half: string, greetings: readonly Greetings[]): readonly Opening[] {
  const lines = greetings.flatMap(({ texts, ...rest }) => texts.map((text) => ({ text, ...rest })))
  const speechless = SPEECHLESS.map((answerer) => ({
    text: '',
    answerer,
    language: 'en' as const,
  }))
  return [...lines, ...speechless].flatMap((line, index) =>
    SNRS.map((snrDb, level): Opening => {
      const seed = seedOf(`${half}${line.answerer}${line.text}${index}${level}`)
      const voices = VOICES[line.language]
      return {
        ...line,
        id: `${half}-${line.answerer}-${index + 1}-${snrDb ?? 'clean'}`,
        voice: voices[new Prng(seed).between(0, voices.length - 1)]!,
        snrDb,
        seed,
      }
    }),
  )
}

/** FNV-1a. */
function seedOf(text: string): number {
  return Buffer.from(text).reduce(
    (hash, byte) => Math.imul(hash ^ byte, 16_777_619) >>> 0,
    2_166_136_261,
  )
}
