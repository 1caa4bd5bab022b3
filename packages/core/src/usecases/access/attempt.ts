import { networkOf } from '../../domain/access/network.ts'
import type { PlatformError } from '../../errors.ts'
import { type Limiters, refuseOver, tooOften } from './limiters.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** A secret that a client presents. */
export interface Attempt {
  /** Counts those that have opened something before. */
  readonly used: RateLimiter
  /** Under which name they are counted there: made of the secret's hash. */
  readonly name: string
  readonly remoteAddress: string
  /** What error messages call them. */
  readonly what?: string
}

const WRONG = 'wrong credentials from your address'

/** Why a secret may not be looked up now; null when it may. Takes nothing. */
export function attemptRefusal(
  { failures }: Pick<Limiters, 'failures'>,
  { used, name, remoteAddress, what }: Attempt,
): PlatformError | null {
  const known = used.knows(name)
  const wait = known ? used.wait(name) : failures.wait(networkOf(remoteAddress))
  return wait === 0 ? null : tooOften(wait, known ? what : WRONG)
}

/**
 * Finds what a secret opens, within rate limits. A secret that has opened something before is limited before the
 * look-up, so a refusal costs no read of the store. Any other secret is looked up unless too many have failed from its
 * address: so wrong secrets from an address do not lock out clients with a valid one.
 *
 * @throws RATE_LIMITED
 */
export async function attempt<Found>(
  { failures }: Pick<Limiters, 'failures'>,
  { used, name, remoteAddress, what }: Attempt,
  find: () => Promise<Found | null>,
): Promise<Found | null> {
  if (used.knows(name)) {
    refuseOver(used.take(name), what)
    return find()
  }
  const network = networkOf(remoteAddress)
  refuseOver(failures.wait(network), WRONG)
  const found = await find()
  if (found === null) failures.take(network)
  else refuseOver(used.take(name), what)
  return found
}
