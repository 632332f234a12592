import type { BucketLook, Rate } from '#shared/domain/rate-limit.ts'

/** Token buckets, each known by its name; a bucket that was never used is full. */
export interface RateLimits {
  /** Takes one token, or finds that there is none. `now` in epoch ms. */
  take(request: {
    readonly bucket: string
    readonly rate: Rate
    readonly now: number
  }): Promise<BucketLook>
}
