import type { AnswerPhrases } from './weighted-phrases.ts'

export const ITALIAN: AnswerPhrases = {
  screening: {
    sure: [
      'il suo/tuo nome e ~ motivo',
      'se questa persona e',
      'chi sei e perche',
      'filtro chiamate',
    ],
    likely: ['dica/di/registri il suo/tuo nome', 'motivo della chiamata'],
    cues: ['suo nome', 'tuo nome', 'motivo', 'questa persona'],
  },
  menu: {
    sure: [
      'prema/digiti/premere/digitare/premi ~ #',
      'chiamata ~ registrata',
      'operatori ~ occupati',
    ],
    likely: ['resti/rimanga/restare in linea', 'attendere in linea'],
    cues: ['benvenuto/benvenuti', 'grazie per ~ chiamato', 'prema', 'digiti'],
  },
  voicemail: {
    sure: [
      'lasciate/lasci/lascia/lasciare ~ messaggio',
      'dopo il segnale/bip/tono',
      'segreteria telefonica',
      'casella vocale',
      'non posso/possiamo rispondere',
    ],
    likely: ['non e ~ raggiungibile', 'non e disponibile', 'richiamero/richiameremo'],
    cues: ['messaggio', 'segnale', 'al momento', 'appena possibile'],
  },
  person: ['in cosa posso', 'come posso ~ aiutar', 'chi parla', 'chi e', 'mi dica'],
  either: [],
  hold: ['resti in linea', 'un attimo', 'un momento', 'attenda'],
}
