import { ulid, ULID_CHANCE_DIGITS } from '#shared/domain/ulid.ts'
import type { Clock } from '#shared/ports/clock.ts'
import type { Ids } from '#shared/ports/ids.ts'

/**
 * Prefixed ULIDs (decisions 1). Ids of one process ascend, also within a millisecond and when the
 * clock steps back: then the random part counts on from the one before. `random` is uniform in [0, 1).
 */
export function ulidIds(options: { readonly clock: Clock; readonly random: () => number }): Ids {
  let lastAt = -1
  let chance: number[] = []

  function nextUlid(): string {
    const now = options.clock.now()
    if (now > lastAt || !increment(chance)) {
      lastAt = Math.max(now, lastAt + (now > lastAt ? 0 : 1))
      chance = Array.from({ length: ULID_CHANCE_DIGITS }, () => Math.floor(options.random() * 32))
    }
    return ulid(lastAt, chance)
  }

  return { next: (prefix) => `${prefix}_${nextUlid()}`, random: options.random }
}

/** Adds one in place; false when every digit was the highest. */
function increment(digits: number[]): boolean {
  const index = digits.findLastIndex((digit) => digit < 31)
  if (index < 0) return false
  digits[index] = (digits[index] ?? 0) + 1
  digits.fill(0, index + 1)
  return true
}
