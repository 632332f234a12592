/** Words whose dot ends no sentence. Lower case, without the last dot. */

/** A name or a number follows. */
export const TITLES: ReadonlySet<string> = new Set(
  (
    'mr mrs ms dr prof st sr jr mt rev gen capt lt sgt nr vs e.g i.e approx ca fig hr fr str z.b ' +
    'bzw d.h mme mlle sra dra sig dott mevr dhr'
  ).split(' '),
)

/** May also stand at the end of a sentence; a capital letter or a number after it decides. */
export const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'a.m p.m etc inc ltd co corp ave blvd rd dept ext u.s u.k e.u usw tel jan feb aug sept oct nov dec'.split(
    ' ',
  ),
)
