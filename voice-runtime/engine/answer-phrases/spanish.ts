import type { AnswerPhrases } from './weighted-phrases.ts'

export const SPANISH: AnswerPhrases = {
  screening: {
    sure: [
      'su/tu nombre y ~ motivo/razon',
      'quien es/eres y por que',
      'si esta persona esta',
      'filtrado de llamadas',
    ],
    likely: ['diga/di/grabe/indique su/tu nombre', 'motivo de su/tu/la llamada'],
    cues: ['su nombre', 'tu nombre', 'motivo', 'por que llama', 'esta persona'],
  },
  menu: {
    sure: [
      'marque/pulse/oprima/presione ~ #',
      'su llamada es ~ importante',
      'llamada ~ grabada',
      'agentes/operadores/asesores ~ ocupados',
    ],
    likely: ['permanezca en ~ linea', 'espere en ~ linea', 'no cuelgue'],
    cues: [
      'bienvenido/bienvenidos',
      'gracias por llamar',
      'marque',
      'pulse',
      'opcion/opciones',
      'departamento',
    ],
  },
  voicemail: {
    sure: [
      'deje/deja/dejanos/dejame/dejeme/dejenos ~ mensaje',
      'despues de la/oir senal/tono',
      'despues del tono/pitido/bip',
      'al oir la senal',
      'buzon',
      'contestador',
      'graba/grabe ~ mensaje',
      'suene ~ tono/pitido/senal',
      'no puedo/podemos atender/contestar',
    ],
    likely: [
      'no esta disponible',
      'te llamare/llamo',
      'le llamaremos/llamare',
      'devolvere/devolveremos ~ llamada',
    ],
    cues: [
      'mensaje',
      'no disponible',
      'tono',
      'ahora mismo',
      'en este momento',
      'lo antes posible',
    ],
  },
  person: [
    'en que puedo',
    'en que le/te puedo',
    'quien habla',
    'quien es',
    'de parte de quien',
    'digame',
    'al habla',
  ],
  either: [],
  hold: ['no cuelgue', 'espere', 'un momento', 'le paso', 'permanezca'],
}
