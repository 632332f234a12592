/** Fields of vendors' messages, which may be missing or of another type than promised. */

import type { SpokenWord } from '#shared/audio/word-times.ts'

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Base64 as bytes; nothing for anything else. */
export function audioOf(value: unknown): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value, 'base64') : new Uint8Array(0)
}

/** Places are kept: what is no number becomes NaN. */
export function numbersOf(value: unknown): number[] {
  if (!Array.isArray(value)) return []
  return (value as readonly unknown[]).map((one) => (typeof one === 'number' ? one : Number.NaN))
}

export function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return (value as readonly unknown[]).map((one) => (typeof one === 'string' ? one : ''))
}

/** Words and the seconds at which each ends; those without a time are left out. */
export function wordTimesOf(words: unknown, endSecs: unknown): SpokenWord[] {
  const ends = numbersOf(endSecs)
  return textsOf(words).flatMap((text, index) => {
    const secs = ends[index]
    const isTimed = secs !== undefined && Number.isFinite(secs)
    return isTimed ? [{ text, endMs: Math.round(secs * 1_000) }] : []
  })
}

export function within(
  value: number,
  range: { readonly min: number; readonly max: number },
): number {
  return Math.min(Math.max(value, range.min), range.max)
}
