/**
 * Words that tell whether somebody has finished, by language (ISO 639-1). Lower case, apostrophes kept.
 * Data for `completeness.ts`; a language that is not listed has none.
 */

export interface TurnWords {
  /** Nobody ends a turn with one of these: more is to come. */
  readonly open: ReadonlySet<string>
  /** Verbs that want an object, unless they end a question. */
  readonly wanting: ReadonlySet<string>
  /** A turn of nothing but these is complete. */
  readonly answers: ReadonlySet<string>
  /** What a turn that ends with one of these, or with these words, has said is complete. */
  readonly closing: readonly string[]
  /** With what questions begin. */
  readonly questions: ReadonlySet<string>
  /** A question that holds one of these is answered with a row of digits. */
  readonly numbers: ReadonlySet<string>
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
const phrases = (text: string): readonly string[] => text.split(',').map((phrase) => phrase.trim())

const NONE: ReadonlySet<string> = new Set()

const EN: TurnWords = {
  open: words(`
    a an the my your his her its our their this these those some any every each another no
    and or but so because if when while although though since until unless that which who whose than as
    to of in on at for from with without by about into onto between after before during around near under over through per via like
    i you he she we they it's i'm i've i'd i'll we're we've we'd we'll they're you're he's she's there's that's what's
    am is are was were be been being have has had having do does did can could will would shall should may might must
    can't couldn't won't wouldn't don't doesn't didn't isn't aren't wasn't not never just only also even still really very too quite rather pretty maybe perhaps probably actually basically
    um uh uhm er erm hmm ah well
    except if unless where when what who why how which let excluding including
    mr mrs ms dr number street
  `),
  wanting: words(`
    want need like'd prefer think guess mean know wonder wanted needed thought wondering trying going gonna wanna calling looking hoping
    get got take make give let put set send bring book say said tell told ask asked
  `),
  answers: words(`
    yes yeah yep yup no nope nah sure okay ok right correct exactly absolutely definitely certainly
    please thanks thank you bye goodbye hello hi hey great perfect good fine alright cool wonderful
    sorry pardon that's it is not at all of course that will do speaking this much too
  `),
  closing: phrases(
    "thank you, thanks, please, bye, goodbye, speaking, that is all, that's all, that is it, that's it, " +
      'today, tomorrow, tonight, yesterday, monday, tuesday, wednesday, thursday, friday, saturday, sunday, ' +
      "morning, afternoon, evening, noon, midnight, o'clock, a m, p m, am, pm, next week, this week, next month, " +
      'the weekend, later, now, interested, instead, anyway, too much, fine, great, perfect, better, best, ' +
      'already, yet, either, neither, anymore, me too',
  ),
  questions: words(
    'what when where who why how which whose can could would will shall should do does did is are was were have has may',
  ),
  numbers: words('number phone code postcode zip reference birth digits account'),
}

const DE: TurnWords = {
  open: words(`
    der die das den dem des ein eine einen einem einer eines mein meine meinen ihr ihre unser kein keine
    und oder aber weil dass ob wenn als obwohl denn sondern
    zu in im an am auf für von vom mit ohne bei beim nach über unter zwischen um durch gegen seit bis
    ich du er sie es wir bin bist ist sind war waren habe haben hat hätte möchte will würde kann könnte muss soll darf
    nicht nur auch sehr noch schon eigentlich vielleicht also äh ähm
  `),
  wanting: NONE,
  answers: words(
    'ja nein doch genau klar okay ok gut danke bitte gerne richtig stimmt tschüss hallo wiederhören auf',
  ),
  closing: phrases(
    'danke, bitte, tschüss, wiederhören, heute, morgen, montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag, vormittag, nachmittag, abend, uhr, besser, gut',
  ),
  questions: words('was wann wo wer warum wie welche welcher können könnten kann haben ist sind'),
  numbers: words('nummer telefonnummer postleitzahl geburtsdatum kundennummer'),
}

const FR: TurnWords = {
  open: words(`
    le la les l un une des du de d mon ma mes votre vos notre nos ce cet cette ces
    et ou mais parce que qui si quand comme donc
    à au aux en dans sur sous pour par avec sans chez vers entre depuis
    je j tu il elle on nous vous ils elles suis est sont était ai as a avons avez ont peux peut pouvez veux voudrais voulais
    ne pas très plus aussi juste vraiment euh ben
  `),
  wanting: NONE,
  answers: words(
    "oui non si ouais voilà merci bonjour d'accord parfait exactement bien sûr au revoir beaucoup s'il vous plaît allô",
  ),
  closing: phrases(
    "merci, s'il vous plaît, au revoir, demain, aujourd'hui, lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, matin, après-midi, soir, heures, bien",
  ),
  questions: words('quoi quand où qui pourquoi comment combien quel quelle est-ce pouvez'),
  numbers: words('numéro téléphone code postal naissance référence'),
}

const ES: TurnWords = {
  open: words(`
    el la los las un una unos unas mi mis su sus nuestro este esta estos
    y o pero porque que si cuando como aunque
    a al de del en con sin para por sobre entre desde hasta
    yo tú él ella nosotros soy es son era estoy está he ha han tengo tiene quiero quisiera puedo puede
    no muy más también sólo eh este
  `),
  wanting: NONE,
  answers: words(
    'sí no vale claro bueno gracias hola adiós exacto perfecto por favor correcto muchas diga',
  ),
  closing: phrases(
    'gracias, por favor, adiós, hoy, mañana, lunes, martes, miércoles, jueves, viernes, sábado, domingo, tarde, noche, bien, mejor',
  ),
  questions: words('qué cuándo dónde quién cómo cuánto cuál puede puedo'),
  numbers: words('número teléfono código postal nacimiento'),
}

const IT: TurnWords = {
  open: words(`
    il lo la i gli le un uno una mio mia suo sua questo questa
    e o ma perché che se quando come anche
    a al alla di del della in nel nella con senza per da dal su tra fra
    io tu lui lei noi voi sono è era ho ha abbiamo avete voglio vorrei posso può
    non molto più solo eh ehm
  `),
  wanting: NONE,
  answers: words(
    "sì no certo bene grazie ciao pronto esatto perfetto va arrivederci prego d'accordo",
  ),
  closing: phrases(
    'grazie, per favore, arrivederci, oggi, domani, lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica, mattina, pomeriggio, sera, bene, meglio',
  ),
  questions: words('cosa quando dove chi perché come quanto quale può posso'),
  numbers: words('numero telefono codice postale nascita'),
}

const PT: TurnWords = {
  open: words(`
    o a os as um uma meu minha seu sua este esta
    e ou mas porque que se quando como
    ao à de do da em no na com sem para por sobre entre desde até
    eu tu ele ela nós sou é são era estou está tenho tem quero queria posso pode
    não muito mais também só é
  `),
  wanting: NONE,
  answers: words(
    'sim não claro bom obrigado obrigada olá tchau exato perfeito certo está bem por favor',
  ),
  closing: phrases(
    'obrigado, obrigada, por favor, tchau, hoje, amanhã, segunda, terça, quarta, quinta, sexta, sábado, domingo, manhã, tarde, noite, bem, melhor',
  ),
  questions: words('quê quando onde quem porquê como quanto qual pode posso'),
  numbers: words('número telefone código postal nascimento'),
}

const NL: TurnWords = {
  open: words(`
    de het een mijn uw jouw zijn haar ons onze deze dit die dat geen
    en of maar omdat want als wanneer hoewel
    naar in op aan voor van met zonder bij over onder tussen door tegen sinds tot om te
    ik je jij u hij ze we wij ben bent is was waren heb heeft hebben wil wilde kan kunt kon moet zou
    niet alleen ook heel nog misschien eigenlijk eh uh
  `),
  wanting: NONE,
  answers: words(
    'ja nee jawel precies oké ok goed prima graag bedankt dank dag hallo klopt u wel tot ziens',
  ),
  closing: phrases(
    'bedankt, dank u wel, alstublieft, tot ziens, vandaag, morgen, maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag, ochtend, middag, avond, uur, goed, beter',
  ),
  questions: words('wat wanneer waar wie waarom hoe welke kunt kan kun is zijn heeft'),
  numbers: words('nummer telefoonnummer postcode geboortedatum klantnummer'),
}

export const TURN_WORDS: Readonly<Record<string, TurnWords>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  it: IT,
  pt: PT,
  nl: NL,
}
