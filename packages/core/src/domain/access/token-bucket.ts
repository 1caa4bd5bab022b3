/** A token bucket's measures: `perSecond` tokens flow in, `burst` fit. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

/** The fill of a bucket at a moment, in milliseconds of a monotonic clock. */
export interface TokenBucket {
  readonly tokens: number
  readonly at: number
}

/** The result of an attempt to take a token. */
export interface Taken {
  readonly bucket: TokenBucket
  /** 0 when a token was taken; otherwise the whole seconds until there is one, at least 1. */
  readonly retryAfterSeconds: number
}

/** Returns a bucket as it is now. Null is an unused one: full. A clock that goes back neither fills nor empties it. */
export function refill(bucket: TokenBucket | null, limit: RateLimit, now: number): TokenBucket {
  if (bucket === null) return { tokens: limit.burst, at: now }
  const at = Math.max(bucket.at, now)
  const inflow = ((at - bucket.at) / 1000) * limit.perSecond
  return { tokens: Math.min(limit.burst, bucket.tokens + inflow), at }
}

/** Returns the whole seconds until a bucket with so many tokens has a whole one: 0 if it has, otherwise at least 1. */
export const secondsToToken = (tokens: number, { perSecond }: RateLimit): number =>
  tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond))

/** Takes tokens out of a refilled bucket, however few it has: afterwards it may owe some. */
export function chargeTokens(
  bucket: TokenBucket | null,
  limit: RateLimit,
  now: number,
  cost: number,
): TokenBucket {
  const { tokens, at } = refill(bucket, limit, now)
  return { tokens: tokens - cost, at }
}

/** Takes one token out of a refilled bucket (contract/limits.md, Rate limits). */
export function takeToken(bucket: TokenBucket | null, limit: RateLimit, now: number): Taken {
  const { tokens, at } = refill(bucket, limit, now)
  const retryAfterSeconds = secondsToToken(tokens, limit)
  return { bucket: { tokens: retryAfterSeconds === 0 ? tokens - 1 : tokens, at }, retryAfterSeconds }
}
