import { thrownDetails } from '../domain/thrown.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { GuardedLimits, SharedLimits, SharedTake } from '../ports/shared-limits.ts'
import type { Settings } from '../settings/settings.ts'
import { createTimeouts } from '../shared/timeouts.ts'

/** The interval at which limits that are away are asked again, milliseconds. */
const ASK_AGAIN = 1_000

/** The inputs to guarding the limits. */
interface Guard {
  readonly clock: Clock
  readonly log: Log
  readonly settings: Pick<Settings, 'onError' | 'sharedLimitsTimeout'>
  /** The name of this process, which no other has. */
  readonly owner: string
}

const isCount = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

const isTake = (value: unknown): value is SharedTake =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'taken') === 'boolean' &&
  isCount(Reflect.get(value, 'tokens'))

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isAnything = (_value: unknown): _value is unknown => true

/**
 * Returns the host's shared limits, which never fail (LI12). A throw, a rejection, a time-out or a wrong answer is an
 * outage, which is logged once when it begins and once when it ends. In an outage no caller waits for them. One request
 * a second still checks whether they are back.
 */
export function guardSharedLimits(
  host: SharedLimits,
  { clock, log, settings: { onError, sharedLimitsTimeout: limit }, owner }: Guard,
): GuardedLimits {
  // One timer for all that is asked: each request asks something.
  const timeouts = createTimeouts(clock, limit, { keepAlive: true })
  let outage: { readonly since: number; asked: number } | null = null
  let places = 0

  function failed(error: unknown): void {
    if (outage !== null) return
    const now = clock.monotonic()
    outage = { since: now, asked: now }
    log.error('The shared limits do not answer. Until they do, this process counts for itself.', {
      error: thrownDetails(error),
    })
    onError(error, 'shared limits')
  }

  function answered(asked: number): void {
    // An answer to an older request does not show that they answer now.
    if (outage === null || asked < outage.asked) return
    log.warn('The shared limits answer again.', { awayFor: Math.round(clock.monotonic() - outage.since) })
    outage = null
  }

  async function ask<Answer>(
    call: () => Promise<unknown>,
    fits: (answer: unknown) => answer is Answer,
  ): Promise<Answer | null> {
    const asked = clock.monotonic()
    let callOff = (): void => undefined
    const late = new Promise<never>((_, reject) => {
      callOff = timeouts.start(() => reject(new Error(`No answer within ${limit} ms (sharedLimitsTimeout).`)))
    })
    try {
      const answer = await Promise.race([call(), late])
      if (!fits(answer)) throw new TypeError('A method of sharedLimits returned a value of the wrong type.')
      answered(asked)
      return answer
    } catch (error) {
      failed(error)
      return null
    } finally {
      callOff()
    }
  }

  /** Null if no caller should wait. */
  function inReach<Answer>(
    call: () => Promise<unknown>,
    fits: (answer: unknown) => answer is Answer,
  ): Promise<Answer | null> | null {
    if (outage === null) return ask(call, fits)
    const now = clock.monotonic()
    if (now - outage.asked >= ASK_AGAIN) {
      outage.asked = now
      void ask(call, fits)
    }
    return null
  }

  return {
    take: (bucket, rate) => inReach(() => host.take(bucket, rate), isTake),
    peek: (bucket, rate) => inReach(() => host.peek(bucket, rate), isCount),
    hold: (place, terms) => inReach(() => host.hold(place, terms), isBoolean),
    async renew(renewed, lease) {
      await inReach(() => host.renew(renewed, lease), isAnything)
    },
    release: place => void inReach(() => host.release(place), isAnything),
    placeOf: of => ({ of, holder: `${owner} ${places++}` }),
  }
}
