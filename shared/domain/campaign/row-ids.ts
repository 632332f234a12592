import { ALPHABET } from '../ulid.ts'

/** SHA-256 of a text. */
export type Hash = (text: string) => Uint8Array

const DIGITS = 26
const BITS = 5

/**
 * The ids of a campaign's row and of its order follow from the row's place, so that importing a
 * contact again stores nothing new. They look like all ids: 26 digits of base 32.
 */
export function rowIds(
  hash: Hash,
  campaignId: string,
  rowIndex: number,
): { readonly orderId: string; readonly rowId: string } {
  const digits = base32(hash(`${campaignId}|${rowIndex}`))
  return { orderId: `call_${digits}`, rowId: `row_${digits}` }
}

function base32(bytes: Uint8Array): string {
  let text = ''
  for (let bit = 0; bit < DIGITS * BITS; bit += BITS) {
    const at = bit >> 3
    const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
    text += ALPHABET[(pair >> (16 - BITS - (bit & 7))) & 31] ?? ''
  }
  return text
}
