/** A list answers at most this (decisions 1); Lambda itself takes 6 MB. */
export const ANSWER_BYTES_MAX = 5_000_000

/** What a part of a body takes: a Lambda hands out its body as a JSON text inside JSON. */
export function answerBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)))
}
