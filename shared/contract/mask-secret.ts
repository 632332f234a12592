/** Shorter secrets would be given away by their last four characters. */
const REVEALING_LENGTH_MIN = 12

/** A secret as it is answered: `…last4` (decisions 2), enough to recognise it, useless to anyone else. */
export function maskSecret(secret: string): string {
  return secret.length < REVEALING_LENGTH_MIN ? '…' : `…${secret.slice(-4)}`
}

/** Whether a text is what `maskSecret` writes, rather than a secret. */
export function isMask(text: string): boolean {
  return /^…(?:.{4})?$/su.test(text)
}
