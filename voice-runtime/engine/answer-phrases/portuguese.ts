import type { AnswerPhrases } from './weighted-phrases.ts'

export const PORTUGUESE: AnswerPhrases = {
  screening: {
    sure: ['seu nome e ~ motivo', 'se esta/essa pessoa esta', 'filtro de chamadas'],
    likely: ['diga/grave o seu nome', 'motivo da ligacao/chamada'],
    cues: ['seu nome', 'motivo', 'esta pessoa'],
  },
  menu: {
    sure: [
      'digite/pressione/tecle/aperte/marque ~ #',
      'sua ligacao/chamada e ~ importante',
      'ligacao/chamada ~ gravada',
    ],
    likely: ['aguarde na linha', 'permaneca na linha'],
    cues: ['bem vindo', 'obrigado por ligar', 'digite', 'opcao/opcoes'],
  },
  voicemail: {
    sure: [
      'deixe ~ recado/mensagem',
      'apos o sinal/bip',
      'depois do sinal/bip',
      'caixa postal',
      'correio de voz',
      'nao posso atender',
    ],
    likely: ['nao esta disponivel', 'retorno assim que'],
    cues: ['recado', 'mensagem', 'sinal', 'no momento'],
  },
  person: ['em que posso', 'como posso ajudar', 'quem fala', 'quem e', 'pois nao'],
  either: [],
  hold: ['aguarde', 'um momento', 'nao desligue', 'permaneca na linha'],
}
