/** Crockford's base 32, in the order of the digits. */
export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_DIGITS = 10

/** How many digits of a ULID are chance. */
export const ULID_CHANCE_DIGITS = 16

/** A ULID: `at` in epoch ms, then `ULID_CHANCE_DIGITS` digits from 0 to 31. */
export function ulid(at: number, chance: readonly number[]): string {
  return [...timeDigits(at), ...chance].map((digit) => ALPHABET[digit]).join('')
}

function timeDigits(at: number): number[] {
  return Array.from(
    { length: TIME_DIGITS },
    (_, index) => Math.floor(at / 32 ** (TIME_DIGITS - 1 - index)) % 32,
  )
}
