import { type RateLimit, type TokenBucket, takeToken } from '../../domain/access/token-bucket.ts'
import type { Clock } from '../../ports/clock.ts'
import { createLastUsed } from '../shared/last-used.ts'

/** Counts requests by key, in this process. */
export interface RateLimiter {
  /** Takes a token of that key: 0, or the whole seconds after which there is one again. */
  take(key: string): number
  /** What `take` would answer; takes nothing. */
  wait(key: string): number
  /** True for a key that has taken before, and is not forgotten. */
  knows(key: string): boolean
}

/**
 * A token bucket per key. At most `maxKeys` are remembered: the ones used last. A forgotten key starts with a full
 * bucket.
 *
 * @param limit null: remembers keys, and never makes one wait
 * @param maxKeys bounds the memory. @default 10000
 */
export function createRateLimiter(limit: RateLimit | null, clock: Clock, maxKeys = 10_000): RateLimiter {
  const buckets = createLastUsed<string, TokenBucket>(maxKeys)
  const refilled = (bucket: TokenBucket | undefined) =>
    limit === null
      ? { bucket: { tokens: 0, at: 0 }, retryAfterSeconds: 0 }
      : takeToken(bucket ?? null, limit, clock.monotonic())
  return {
    take(key) {
      const { bucket, retryAfterSeconds } = refilled(buckets.get(key))
      buckets.set(key, bucket)
      return retryAfterSeconds
    },
    wait: key => refilled(buckets.peek(key)).retryAfterSeconds,
    knows: key => buckets.has(key),
  }
}
