/** Whether somebody asks never to be called again; what is heard of it is acted on at once (decisions 5). */

import { phrasePattern, plainText } from './phrase-pattern.ts'

/** In the notation of `answer-phrases.ts`. Only what means for good: "not now" is no opt-out. */
const OPT_OUT_PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'never call/phone/ring/contact me/us/this ~ again',
    'dont/not call/phone/ring/contact me/us/this ~ again/anymore',
    'dont/not call/phone/ring/contact me/us/this ~ any more',
    'dont/not ever call/phone/ring/contact me/us/this',
    'stop calling/phoning/ringing/contacting me/us/this/here',
    'take/remove me ~ off/from ~ list',
    'take/remove my/this number ~ off/from ~ list',
    'take me off your list',
    'remove my number',
    'put me on ~ do not call list',
    'opt out',
  ],
  de: [
    'nie wieder ~ anrufen',
    'rufen sie ~ nicht mehr an',
    'nicht mehr anrufen',
    'aus ~ liste streichen',
    'loschen sie meine nummer',
  ],
  fr: [
    'ne mappelez plus',
    'ne plus mappeler',
    'ne me rappelez plus/jamais',
    'retirez moi de ~ liste',
    'retirez mon numero',
  ],
  es: [
    'no me llame/llamen/llames mas',
    'no vuelva/vuelvan a llamarme/llamar',
    'deje/dejen de llamar/llamarme',
    'quiteme de ~ lista',
    'borre mi numero',
  ],
  it: ['non mi chiami/chiamate piu', 'non chiamatemi piu', 'cancelli il mio numero'],
  pt: ['nao me ligue/liguem mais', 'pare/parem de me ligar', 'retire meu numero'],
  nl: ['bel me/mij niet meer', 'nooit meer bellen', 'haal me van ~ lijst'],
}

const PATTERN = phrasePattern(Object.values(OPT_OUT_PHRASES).flat())

export function isOptOut(text: string): boolean {
  return plainText(text).search(PATTERN) >= 0
}
