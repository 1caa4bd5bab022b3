/** A token bucket's measures: `perSecond` tokens flow in, `burst` fit. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

/** How full a bucket was, and when that was so, in milliseconds of a clock that does not step. */
export interface TokenBucket {
  readonly tokens: number
  readonly at: number
}

/** What became of an attempt to take a token. */
export interface Taken {
  readonly bucket: TokenBucket
  /** 0 when a token was taken; otherwise the whole seconds after which there is one again, at least 1. */
  readonly retryAfterSeconds: number
}

/**
 * Takes one token out of a bucket (contract/limits.md, Rate limits). Null is an unused bucket: a full one.
 * A clock that goes back neither fills nor empties it.
 */
export function takeToken(bucket: TokenBucket | null, limit: RateLimit, now: number): Taken {
  const at = bucket === null ? now : Math.max(bucket.at, now)
  const inflow = bucket === null ? limit.burst : ((at - bucket.at) / 1000) * limit.perSecond
  const tokens = Math.min(limit.burst, (bucket?.tokens ?? 0) + inflow)
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, at }, retryAfterSeconds: 0 }
  const wait = Math.ceil((1 - tokens) / limit.perSecond)
  return { bucket: { tokens, at }, retryAfterSeconds: Math.max(1, wait) }
}
