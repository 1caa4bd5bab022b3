import { LRUCache } from 'lru-cache'
import { type RateLimit, type TokenBucket, takeToken } from '../../domain/access/token-bucket.ts'
import type { Clock } from '../../ports/clock.ts'

/** Counts requests by key, in this process. */
export interface RateLimiter {
  /** Takes a token of that key: 0, or the whole seconds after which there is one again. */
  take(key: string): number
}

/**
 * A token bucket per key. At most `maxKeys` are remembered: the ones used last. A forgotten key starts with a full bucket.
 *
 * @param maxKeys bounds the memory. @default 10000
 */
export function createRateLimiter(limit: RateLimit, clock: Clock, maxKeys = 10_000): RateLimiter {
  const buckets = new LRUCache<string, TokenBucket>({ max: maxKeys })
  return {
    take(key) {
      const { bucket, retryAfterSeconds } = takeToken(buckets.get(key) ?? null, limit, clock.now())
      buckets.set(key, bucket)
      return retryAfterSeconds
    },
  }
}
