import type { AnswerPhrases } from './weighted-phrases.ts'

export const FRENCH: AnswerPhrases = {
  screening: {
    sure: [
      'votre nom et ~ raison/motif/objet',
      'qui vous etes et pourquoi',
      'si cette personne est',
      'filtrage ~ appels',
    ],
    likely: ['dites/enregistrez/indiquez votre nom', 'raison/motif/objet de votre appel'],
    cues: ['votre nom', 'raison', 'pourquoi vous appelez', 'cette personne'],
  },
  menu: {
    sure: [
      'appuyez/tapez/faites ~ #',
      'votre appel est important',
      'appel/conversation ~ enregistre/enregistree',
      'conseillers ~ occupes/ligne',
      'un conseiller va',
      'nous allons donner suite a votre appel',
    ],
    likely: ['veuillez patienter', 'restez en ligne', 'ne quittez pas'],
    cues: ['bienvenue', 'merci de votre appel', 'touche', 'appuyez', 'tapez', 'service'],
  },
  voicemail: {
    sure: [
      'laissez ~ message',
      'laisser ~ message',
      'apres le/ce bip/signal',
      'messagerie',
      'boite vocale',
      'parlez apres',
      'repondeur',
      'ne peux/peut/pouvons pas ~ repondre',
      'ne suis pas disponible',
    ],
    likely: [
      'rappelle/rappellerai/rappellerons ~ des/plus',
      'nest pas disponible',
      'suis absent/absente',
    ],
    cues: ['message', 'disponible', 'coordonnees', 'bip', 'vous etes bien', 'rappelle', 'joindre'],
  },
  person: [
    'que puis je',
    'en quoi puis je',
    'qui est/etes a/vous',
    'cest qui',
    'cest de la part de qui',
    'a lappareil',
  ],
  either: [],
  hold: ['restez en ligne', 'ne quittez pas', 'un instant', 'veuillez patienter', 'je vous passe'],
}
