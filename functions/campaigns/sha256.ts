import { createHash } from 'node:crypto'

/** The hash from which the ids of campaign rows follow. */
export function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
