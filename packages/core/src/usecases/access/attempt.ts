import { networkOf } from '../../domain/access/network.ts'
import type { PlatformError } from '../../errors.ts'
import { type Limiters, refuseOver, tooOften } from './limiters.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** A secret that a client presents. */
export interface Attempt {
  /** Counts those that have opened something before. */
  readonly used: RateLimiter
  /** The name under which attempts are counted: made of the secret's hash. */
  readonly name: string
  readonly remoteAddress: string
  /** The noun for them in error messages. */
  readonly what?: string
}

const WRONG = 'wrong credentials from your address'

/** Returns the reason why a secret may not be looked up now. Null when it may. Takes nothing. */
export async function attemptRefusal(
  { failures }: Pick<Limiters, 'failures'>,
  { used, name, remoteAddress, what }: Attempt,
): Promise<PlatformError | null> {
  const known = used.knows(name)
  const wait = await (known ? used.wait(name) : failures.wait(networkOf(remoteAddress)))
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
  // Awaited only where other processes are asked: a process that counts alone answers at once.
  if (used.knows(name)) {
    const wait = used.take(name)
    refuseOver(typeof wait === 'number' ? wait : await wait, what)
    return find()
  }
  const network = networkOf(remoteAddress)
  const failureWait = failures.wait(network)
  refuseOver(typeof failureWait === 'number' ? failureWait : await failureWait, WRONG)
  const found = await find()
  const wait = found === null ? failures.take(network) : used.take(name)
  const seconds = typeof wait === 'number' ? wait : await wait
  if (found !== null) refuseOver(seconds, what)
  return found
}
