/**
 * What a listener says to show that they listen. Lower case, without punctuation. Words that also stop
 * a speaker ("no", "wait", "but") are not among them.
 */
export const BACKCHANNEL_WORDS: Readonly<Record<string, string>> = {
  en:
    'mm mmm mhm mmhm hm hmm uh huh uhhuh um ah oh aha er yeah yep yup yes ok okay right sure ' +
    "alright all cool great nice good fine true exactly absolutely indeed perfect lovely wow oh i see got it of course makes sense that's",
  de: 'ja jaja genau klar gut stimmt aha ach so hmhm äh ähm',
  fr: 'oui ouais daccord voilà bien euh hein',
  es: 'sí vale claro bueno ajá eh ya',
  it: 'sì certo bene ehm ecco',
  pt: 'sim pois claro bem né',
  nl: 'ja jawel precies oké goed juist',
}
