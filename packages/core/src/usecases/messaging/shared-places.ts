import type { ConversationId } from '../../domain/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { GuardedLimits, Place } from '../../ports/shared-limits.ts'

/** The number of renewals of a lease before it would end. */
const RENEWALS = 3

/** Places are renewed so many at a time: one request is one write. */
const RENEWED_AT_ONCE = 200

/** The places of sessions' connections, over all processes. */
export interface SharedPlaces {
  /**
   * Takes a place. Returns null if all are held, otherwise the function that releases it. While the limits are
   * unavailable the place is granted. Other processes know of it once they are back.
   */
  take(session: ConversationId, most: number): Promise<(() => void) | null> | (() => void)
}

/** Renews what this process holds, so that only what a killed one held is free when its lease ends (LI12). */
export function createSharedPlaces(
  limits: GuardedLimits,
  lease: number,
  clock: Pick<Clock, 'schedule'>,
): SharedPlaces {
  const held = new Set<Place>()
  let renewing = false

  function renewLater(): void {
    if (renewing || held.size === 0) return
    renewing = true
    clock.schedule(lease / RENEWALS, () => void renew())
  }

  async function renew(): Promise<void> {
    const all = [...held]
    for (let start = 0; start < all.length; start += RENEWED_AT_ONCE) {
      // One that was given back meanwhile must not be held again.
      const left = all.slice(start, start + RENEWED_AT_ONCE).filter(place => held.has(place))
      if (left.length > 0) await limits.renew(left, lease)
    }
    renewing = false
    renewLater()
  }

  function keep(place: Place): () => void {
    held.add(place)
    renewLater()
    return () => {
      if (held.delete(place)) limits.release(place)
    }
  }

  return {
    take(session, most) {
      const place = limits.placeOf(`session:${session}`)
      const asked = limits.hold(place, { most, lease })
      if (asked === null) return keep(place)
      return asked.then(isHeld => (isHeld === false ? null : keep(place)))
    },
  }
}
