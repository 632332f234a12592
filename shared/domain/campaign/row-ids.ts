import { derivedDigits, type Hash } from '../derived-digits.ts'

/**
 * The ids of a campaign's row and of its order follow from the row's place, so that importing a
 * contact again stores nothing new.
 */
export function rowIds(
  hash: Hash,
  campaignId: string,
  rowIndex: number,
): { readonly orderId: string; readonly rowId: string } {
  const digits = derivedDigits(hash, `${campaignId}|${rowIndex}`)
  return { orderId: `call_${digits}`, rowId: `row_${digits}` }
}
