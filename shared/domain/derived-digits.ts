import { ALPHABET } from './ulid.ts'

/** SHA-256 of a text. */
export type Hash = (text: string) => Uint8Array

const DIGITS = 26
const BITS = 5

/**
 * The digits of an id that follows from something else, so that whatever is done twice because of it
 * meets its own record. They look like those of all ids: 26 of base 32.
 */
export function derivedDigits(hash: Hash, text: string): string {
  const bytes = hash(text)
  let digits = ''
  for (let bit = 0; bit < DIGITS * BITS; bit += BITS) {
    const at = bit >> 3
    const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
    digits += ALPHABET[(pair >> (16 - BITS - (bit & 7))) & 31] ?? ''
  }
  return digits
}
