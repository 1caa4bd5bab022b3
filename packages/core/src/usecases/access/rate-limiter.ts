import {
  type RateLimit,
  refill,
  secondsToToken,
  type TokenBucket,
  takeToken,
} from '../../domain/access/token-bucket.ts'
import type { Clock } from '../../ports/clock.ts'
import { createLastUsed } from '../shared/last-used.ts'

/** 0, or the whole seconds after which there is a token again. A number whenever this process knows it alone. */
export type Wait = number | Promise<number>

/** Counts requests by key. Promises do not reject. */
export interface RateLimiter {
  /** Takes a token of that key. */
  take(key: string): Wait
  /** Returns the result that `take` would have, and takes nothing. */
  wait(key: string): Wait
  /** Reports whether a key has taken before in this process, and is not forgotten. */
  knows(key: string): boolean
}

/** A rate limiter of this process alone. */
export interface LocalRateLimiter extends RateLimiter {
  take(key: string): number
  wait(key: string): number
  /** Corrects the bucket of a key. */
  set(key: string, bucket: TokenBucket): void
}

/**
 * Returns a rate limiter with a token bucket per key, in this process. At most `maxKeys` are remembered: the ones used
 * last. A forgotten key starts with a full bucket.
 *
 * @param limit null: remembers keys, and never makes one wait
 * @param maxKeys bounds the memory. @default 10000
 */
export function createRateLimiter(
  limit: RateLimit | null,
  clock: Pick<Clock, 'monotonic'>,
  maxKeys = 10_000,
): LocalRateLimiter {
  const buckets = createLastUsed<string, TokenBucket>(maxKeys)
  const unlimited = { bucket: { tokens: 0, at: 0 }, retryAfterSeconds: 0 }
  return {
    take(key) {
      const { bucket, retryAfterSeconds } =
        limit === null ? unlimited : takeToken(buckets.get(key) ?? null, limit, clock.monotonic())
      buckets.set(key, bucket)
      return retryAfterSeconds
    },
    wait: key =>
      limit === null
        ? 0
        : secondsToToken(refill(buckets.peek(key) ?? null, limit, clock.monotonic()).tokens, limit),
    knows: key => buckets.has(key),
    set: (key, bucket) => void buckets.set(key, bucket),
  }
}
