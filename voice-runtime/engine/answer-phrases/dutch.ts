import type { AnswerPhrases } from './weighted-phrases.ts'

export const DUTCH: AnswerPhrases = {
  screening: {
    sure: ['uw/je naam en ~ reden', 'of deze persoon', 'wie u/je bent en waarom'],
    likely: ['zeg/noem uw/je naam', 'reden van uw/je ~ oproep/gesprek'],
    cues: ['uw naam', 'je naam', 'reden', 'deze persoon'],
  },
  menu: {
    sure: [
      'toets/kies/druk ~ #',
      'gesprek ~ opgenomen',
      'medewerkers ~ gesprek',
      'al onze medewerkers',
    ],
    likely: ['blijf/blijft ~ lijn', 'een ogenblik geduld'],
    cues: ['welkom bij', 'bedankt voor het bellen', 'toets', 'keuzemenu'],
  },
  voicemail: {
    sure: [
      'laat ~ bericht achter',
      'bericht achterlaten',
      'spreek ~ bericht in',
      'spreek ~ in na',
      'na de piep/toon/pieptoon',
      'voicemail',
      'antwoordapparaat',
    ],
    likely: ['bel/bellen ~ terug', 'niet bereikbaar', 'niet beschikbaar'],
    cues: ['bericht', 'helaas', 'op dit moment', 'zo snel mogelijk'],
  },
  person: ['waarmee kan ik', 'wat kan ik', 'met wie spreek', 'wie is dit', 'kan ik ~ helpen'],
  either: [],
  hold: ['blijf ~ lijn', 'een moment', 'ogenblik', 'ik verbind'],
}
