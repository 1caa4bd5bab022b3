import { assigned, nextOfferEnd } from '../../domain/conversation/assignment.ts'
import type { AccountId } from '../../domain/ids.ts'
import { topics } from '../../ports/notices.ts'
import type { Context } from '../context.ts'
import { createSerial } from '../shared/serial.ts'
import { changeRoster } from './roster.ts'
import { readSeats, readTalks } from './seats.ts'

/** The most rosters that a round looks at. */
const AT_ONCE = 100

/** Offers waiting visitors to live agents, by the assignments of their queues (DK610). */
export interface Assigner {
  /** Decides again, after something has changed at the desk of an account. Never throws. */
  changed(accountId: AccountId): void
  /** Decides for one account. */
  assign(accountId: AccountId): Promise<void>
  /** Decides for all accounts in which an offer has ended. Resolves to the end of the next one; null without offers. */
  round(): Promise<number | null>
  /** Resolves when nothing is being decided. */
  stop(): Promise<void>
}

/**
 * Decides in whichever process something changes: the roster is written over its version, so of several processes one
 * offers a visitor, and the others decide again.
 */
export function createAssigner(context: Context): Assigner {
  const { clock, notices, scheduler, settings, store } = context
  const serial = createSerial<AccountId>()
  /** Accounts whose next decision has not begun: further changes are part of it. */
  const awaited = new Map<AccountId, Promise<void>>()
  let isStopped = false

  /** Decides once. Resolves to whether there was something to write. */
  async function decideOnce(accountId: AccountId): Promise<boolean> {
    let next: number | null = null
    const isChanged = await changeRoster(context, accountId, async roster => {
      next = null
      // All is read after the roster: whoever changes it meanwhile makes this decision void.
      const assignments = await store.access.queueAssignments.list(accountId)
      if (assignments.length === 0 && roster.offers.length + roster.passed.length === 0) return roster
      const [waiting, colleagues, talks] = await Promise.all([
        store.conversations.handoffs.list(accountId, 'waiting'),
        readSeats(context, accountId, roster.away),
        readTalks(context, accountId),
      ])
      const { offerTime, talksAtOnce } = settings
      const view = { assignments, waiting, colleagues, talks, talksAtOnce, offerTime, now: clock.now() }
      const decided = assigned(roster, view)
      next = nextOfferEnd(decided)
      return decided
    })
    if (!isChanged) return false
    notices.publish(topics.line(accountId), { changed: true })
    if (next !== null) scheduler.due('lines', next)
    return true
  }

  /**
   * Decides until nothing changes. Another process may have found nothing to write about what had changed while this
   * one was deciding: only a look after the write sees that.
   */
  async function decide(accountId: AccountId): Promise<void> {
    while ((await decideOnce(accountId)) && !isStopped);
  }

  function assign(accountId: AccountId): Promise<void> {
    const before = awaited.get(accountId)
    if (before !== undefined) return before
    const run = (): Promise<void> => {
      awaited.delete(accountId)
      return isStopped ? Promise.resolve() : decide(accountId)
    }
    // Not at once: a task that begins before it is noted would be noted for ever.
    const work = Promise.resolve().then(() => serial(accountId, run))
    awaited.set(accountId, work)
    return work
  }

  const underWay = new Set<Promise<void>>()
  return {
    changed(accountId) {
      if (isStopped) return
      const work = assign(accountId).catch(error => settings.onError(error, 'assignment'))
      underWay.add(work)
      void work.finally(() => underWay.delete(work))
    },
    assign,
    async round() {
      const now = clock.now()
      const rosters = await store.access.deskRosters.withOffers(AT_ONCE)
      const isDue = (roster: (typeof rosters)[number]): boolean => (nextOfferEnd(roster) ?? now) <= now
      await Promise.all(rosters.filter(isDue).map(({ accountId }) => assign(accountId)))
      const [first] = await store.access.deskRosters.withOffers(1)
      return first === undefined ? null : nextOfferEnd(first)
    },
    async stop() {
      isStopped = true
      await Promise.all(underWay)
    },
  }
}
