import type { RateLimit } from '../../domain/access/token-bucket.ts'
import { PlatformError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { PROTOCOL_LIMITS } from '../../protocol/limits.ts'
import type { RateLimits } from '../../settings/settings.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'

/** What a platform counts in this process, over all routers and sockets (contract/limits.md, Rate limits). */
export interface Limiters {
  /** By the hash of an API key that has opened something. */
  readonly keys: RateLimiter
  /** By visitor: sessions and handshakes. */
  readonly visitors: RateLimiter
  /** By connector token and address: access tokens. */
  readonly connectors: RateLimiter
  /** By address: secrets that opened nothing. */
  readonly failures: RateLimiter
  /** By session: joins and messages. */
  readonly events: RateLimiter
  /** By session: all other frames. */
  readonly signals: RateLimiter
}

const scaled = (limit: RateLimit | null, factor: number): RateLimit | null =>
  limit === null ? null : { perSecond: limit.perSecond * factor, burst: limit.burst * factor }

/** The limiters of a platform. Each forgets the least recently used keys above its bound, so that memory is bounded. */
export const createLimiters = (limits: RateLimits, clock: Clock): Limiters => ({
  keys: createRateLimiter(limits.key, clock),
  visitors: createRateLimiter(limits.key, clock),
  connectors: createRateLimiter(limits.accessToken, clock),
  failures: createRateLimiter(limits.failedAuthentication, clock),
  events: createRateLimiter(limits.session, clock),
  signals: createRateLimiter(scaled(limits.session, PROTOCOL_LIMITS.signalFactor), clock),
})

/** The error for a caller who has to wait; whole seconds. */
export const tooOften = (retryAfterSeconds: number, what = 'requests'): PlatformError =>
  new PlatformError('RATE_LIMITED', `Too many ${what}. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })

/** Refuses when the wait is not 0. @throws RATE_LIMITED */
export function refuseOver(retryAfterSeconds: number, what?: string): void {
  if (retryAfterSeconds > 0) throw tooOften(retryAfterSeconds, what)
}
