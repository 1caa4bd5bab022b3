import { type RateLimit, refill, takeToken } from '../../domain/access/token-bucket.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SharedLimits } from '../../ports/shared-limits.ts'
import { createLastUsed } from '../shared/last-used.ts'

/**
 * Limits that several platforms of one process share: the model of the port, without I/O. It remembers at most
 * `maxKeys` buckets and `maxKeys` things with places, and forgets the least recently used ones.
 *
 * @param clock for example `systemClock`
 * @param maxKeys bounds the memory.
 * @default 10000
 */
export function createLocalLimits(clock: Pick<Clock, 'monotonic'>, maxKeys = 10_000): SharedLimits {
  const buckets = createLastUsed<string, ReturnType<typeof refill>>(maxKeys)
  /** The end of each holder's lease, by the thing that has the places. */
  const leases = createLastUsed<string, Map<string, number>>(maxKeys)

  const filled = (bucket: string, limit: RateLimit) =>
    refill(buckets.get(bucket) ?? null, limit, clock.monotonic())

  /** Returns the holders whose leases have not ended. */
  function holdersOf(of: string): Map<string, number> {
    const holders = leases.get(of) ?? new Map<string, number>()
    const now = clock.monotonic()
    for (const [holder, end] of holders) if (end <= now) holders.delete(holder)
    leases.set(of, holders)
    return holders
  }

  return {
    async take(bucket, limit) {
      const { bucket: left, retryAfterSeconds } = takeToken(
        buckets.get(bucket) ?? null,
        limit,
        clock.monotonic(),
      )
      buckets.set(bucket, left)
      return { taken: retryAfterSeconds === 0, tokens: left.tokens }
    },
    peek: async (bucket, limit) => filled(bucket, limit).tokens,
    async hold({ of, holder }, { most, lease }) {
      const holders = holdersOf(of)
      if (!holders.has(holder) && holders.size >= most) return false
      holders.set(holder, clock.monotonic() + lease)
      return true
    },
    async renew(places, lease) {
      for (const { of, holder } of places) holdersOf(of).set(holder, clock.monotonic() + lease)
    },
    async release({ of, holder }) {
      const holders = leases.get(of)
      holders?.delete(holder)
      if (holders?.size === 0) leases.delete(of)
    },
  }
}
