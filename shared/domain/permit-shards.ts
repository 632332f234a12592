/** How a cap is spread over lease maps, so that no single record is written too often (aws.md 2.4). */

export const PERMITS_PER_SHARD = 50

export function shardCount(cap: number): number {
  return Math.ceil(cap / PERMITS_PER_SHARD)
}

/** The permits of one shard, counted from 0; the last one has the remainder, those above it none. */
export function shardCap(cap: number, shard: number): number {
  return Math.max(0, Math.min(PERMITS_PER_SHARD, cap - shard * PERMITS_PER_SHARD))
}

/** Every shard once, in the order in which a holder looks for room: holders start at different ones. */
export function shardOrder(cap: number, holder: string): number[] {
  const count = shardCount(cap)
  const first = count === 0 ? 0 : fnv1a(holder) % count
  return Array.from({ length: count }, (_, step) => (first + step) % count)
}

/** 32-bit FNV-1a over the UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
