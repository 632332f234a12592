/**
 * What a listener says to show that they listen. Lower case, without punctuation. Words that also stop
 * a speaker ("no", "wait", "but") are not among them.
 */
export const BACKCHANNEL_WORDS: Readonly<Record<string, string>> = {
  en:
    'mm mmm mhm mmhm hm hmm uh huh uhhuh um ah oh aha er yeah yep yup yes ok okay right sure ' +
    'alright cool great nice good i see got it',
  de: 'ja jaja genau klar gut stimmt aha ach so hmhm äh ähm',
  fr: 'oui ouais daccord voilà bien euh hein',
  es: 'sí vale claro bueno ajá eh ya',
  it: 'sì certo bene ehm ecco',
  pt: 'sim pois claro bem né',
  nl: 'ja jawel precies oké goed juist',
}
