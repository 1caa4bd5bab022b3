import type { RateLimit } from '../../domain/access/token-bucket.ts'
import { secondsToToken } from '../../domain/access/token-bucket.ts'
import type { Clock } from '../../ports/clock.ts'
import type { GuardedLimits } from '../../ports/shared-limits.ts'
import type { LocalRateLimiter, RateLimiter } from './rate-limiter.ts'

/** The parts of a rate limiter over processes. */
interface SharedParts {
  readonly limit: RateLimit
  readonly limits: GuardedLimits
  /**
   * This process's knowledge of the shared buckets, which are never fuller. It counts alone while they are unreachable.
   */
  readonly local: LocalRateLimiter
  readonly clock: Pick<Clock, 'monotonic'>
  /** Begins the names of its buckets. */
  readonly name: string
}

/**
 * Counts requests by key for all processes. Each answer corrects this process's own bucket. So a key that was refused
 * is refused here, at no cost, until a token can be there again (LI10). Counting alone continues from the last known
 * state (LI12).
 */
export function createSharedRateLimiter({ limit, limits, local, clock, name }: SharedParts): RateLimiter {
  return {
    take(key) {
      if (local.wait(key) > 0) return local.take(key)
      // As it was at the latest when they were asked: what flows in on the way counts.
      const at = clock.monotonic()
      const asked = limits.take(name + key, limit)
      if (asked === null) return local.take(key)
      return asked.then(answer => {
        if (answer === null) return local.take(key)
        local.set(key, { tokens: answer.tokens, at })
        return answer.taken ? 0 : secondsToToken(answer.tokens, limit)
      })
    },
    wait(key) {
      const wait = local.wait(key)
      if (wait > 0) return wait
      const at = clock.monotonic()
      const asked = limits.peek(name + key, limit)
      if (asked === null) return 0
      return asked.then(tokens => {
        const seconds = tokens === null ? 0 : secondsToToken(tokens, limit)
        // A key that may go on is remembered once it takes.
        if (tokens !== null && seconds > 0) local.set(key, { tokens, at })
        return seconds
      })
    },
    knows: key => local.knows(key),
  }
}
