import type { RateLimit } from '../../domain/access/token-bucket.ts'
import { PlatformError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { GuardedLimits } from '../../ports/shared-limits.ts'
import { PROTOCOL_LIMITS } from '../../protocol/limits.ts'
import type { RateLimits } from '../../settings/settings.ts'
import { createFrameMeter, type FrameMeter } from './frame-meter.ts'
import { createRateLimiter, type LocalRateLimiter, type RateLimiter } from './rate-limiter.ts'
import { createSharedRateLimiter } from './shared-rate-limiter.ts'

/**
 * The limiters of a platform, over all its routers and sockets (contract/limits.md, Rate limits). They count over all
 * processes if the host shares limits (LI10).
 */
export interface Limiters {
  /** By the hash of a valid API key. */
  readonly keys: RateLimiter
  /** By visitor: sessions and handshakes. */
  readonly visitors: RateLimiter
  /** By connector token and address: access tokens. */
  readonly connectors: RateLimiter
  /** By agent: texts that open a session (TX40). */
  readonly texts: RateLimiter
  /** By agent: calls that it makes (TX40). */
  readonly calls: RateLimiter
  /** By live agent: suggestions. By handoff: summaries (DK650). */
  readonly assistant: RateLimiter
  /** By address: secrets that opened nothing. */
  readonly failures: RateLimiter
  /** By session: joins and messages. In this process: a frame waits for no other one. */
  readonly events: LocalRateLimiter
  /** By session: all other frames. In this process. */
  readonly signals: LocalRateLimiter
  /** By session, or by the connection to the desk: all frames, before they are read. In this process. */
  readonly frames: FrameMeter
}

const scaled = (limit: RateLimit | null, factor: number): RateLimit | null =>
  limit === null ? null : { perSecond: limit.perSecond * factor, burst: limit.burst * factor }

/**
 * Returns the limiters of a platform. Each forgets the least recently used keys above its bound, so that memory is
 * bounded.
 *
 * @param shared null: the process counts alone
 */
export function createLimiters(
  rates: RateLimits,
  clock: Pick<Clock, 'monotonic'>,
  shared: GuardedLimits | null = null,
): Limiters {
  const limiter = (limit: RateLimit | null, name: string): RateLimiter => {
    const local = createRateLimiter(limit, clock)
    if (limit === null || shared === null) return local
    return createSharedRateLimiter({ limit, limits: shared, local, clock, name: `${name}:` })
  }
  return {
    keys: limiter(rates.key, 'key'),
    visitors: limiter(rates.key, 'visitor'),
    connectors: limiter(rates.accessToken, 'connector'),
    texts: limiter(rates.text, 'text'),
    calls: limiter(rates.call, 'call'),
    assistant: limiter(rates.assistant, 'assistant'),
    failures: limiter(rates.failedAuthentication, 'address'),
    events: createRateLimiter(rates.session, clock),
    signals: createRateLimiter(scaled(rates.session, PROTOCOL_LIMITS.signalFactor), clock),
    frames: createFrameMeter(
      { frames: scaled(rates.session, PROTOCOL_LIMITS.frameFactor), bytes: rates.sessionBytes },
      clock,
    ),
  }
}

/** Returns the error for a caller who has to wait, in whole seconds. */
export const tooOften = (retryAfterSeconds: number, what = 'requests'): PlatformError =>
  new PlatformError('RATE_LIMITED', `Too many ${what}. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })

/** Refuses when the wait is not 0. @throws RATE_LIMITED */
export function refuseOver(retryAfterSeconds: number, what?: string): void {
  if (retryAfterSeconds > 0) throw tooOften(retryAfterSeconds, what)
}
