/** What the simulated model understands of a callee's words. */
export const INTENTS = {
  never:
    /\b(never|stop|do not|don't|dont) (call|phone|contact|calling)\b|\b(take|remove) me (off|from)\b/i,
  callLater:
    /\b(call|phone|try|ring)( me)? (back|again|later|tomorrow|another time)\b|\bbad time\b|\bnot a good (time|moment)\b|\bin a meeting\b|\b(am|i'm) (busy|driving)\b|\bno time\b|\b(can't|cannot) talk\b/i,
  notInterested:
    /\bnot interested\b|\b(do not|don't|dont) (want|need) (it|that|this|any|anything)\b(?! (else|more))/i,
  human:
    /\b(speak|talk)( \w+)? (to|with) (a|an|some|the)\b ?(real |actual )?(human|person|body|one|colleague|agent|manager|somebody)\b|\b(speak|talk) (to|with) (someone|somebody)\b/i,
  goodbye: /\b(goodbye|good bye|bye)\b/i,
  wait: /^\W*(wait|hold on|one moment|just a (second|moment|minute)|hang on)\b/i,
  who: /\bwho (is|are|am)\b|\bwhat('s| is) (this|it) about\b|\bwhere are you calling from\b|\bwhy are you calling\b/i,
  greeting: /^\W*(hello|hi|hey|good (morning|afternoon|evening))\W*$|\bspeaking\b/i,
  yes: /\b(yes|yeah|yep|sure|certainly|absolutely|of course|gladly|okay|ok|sounds good|please do|i do|i would|i am)\b/i,
  no: /\b(no|nope|not|never|don't|dont|neither)\b/i,
} as const satisfies Record<string, RegExp>

const DAY =
  'today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next week'
const PART = 'morning|noon|afternoon|evening|night'
const WHEN = new RegExp(
  `\\b(?:(?:${DAY})(?: (?:in the )?(?:${PART}))?(?: at [a-z0-9:]+(?: o'clock)?)?|in the (?:${PART}))\\b`,
  'i',
)

/** The first day or part of a day that a text names, for example `Tuesday morning`. */
export function whenIn(text: string): string | null {
  return WHEN.exec(text)?.[0] ?? null
}

/** True or false for an answer that is clearly one of both; its first word of that kind decides. */
export function yesOrNo(answer: string): boolean | null {
  const yes = answer.search(INTENTS.yes)
  const no = answer.search(INTENTS.no)
  if (yes < 0 && no < 0) return null
  return no < 0 || (yes >= 0 && yes < no)
}

const SMALL_NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** The first number in a text, in digits or in words below one hundred. */
export function numberIn(text: string): number | null {
  const digits = /-?\d+(\.\d+)?/.exec(text)
  if (digits) return Number(digits[0])
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  for (const [index, word] of words.entries()) {
    const small = SMALL_NUMBERS.indexOf(word)
    if (small >= 0) return small
    const tens = TENS.indexOf(word)
    if (tens < 0) continue
    const unit = SMALL_NUMBERS.indexOf(words[index + 1] ?? '')
    return (tens + 2) * 10 + (unit > 0 && unit < 10 ? unit : 0)
  }
  return null
}

/** Letters and digits only, so that punctuation and line breaks never hide an equality. */
export function plainWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
