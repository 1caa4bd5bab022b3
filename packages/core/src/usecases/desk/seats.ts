import { attendanceBeat, attendanceReach } from '../../domain/conversation/attendance.ts'
import type { AwayLiveAgent, DeskRoster } from '../../domain/conversation/desk-roster.ts'
import { type Colleague, colleaguesOf, type DeskSeat } from '../../domain/conversation/desk-seat.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { every } from '../shared/every.ts'
import { readRoster } from './roster.ts'

/** The most seats of an account that are looked at. */
const MOST_SEATS = 1_000

/** Reads which live agents are at the desk of an account now, in whichever process (DK15). */
export const readSeats = async (
  { clock, store }: Pick<Context, 'clock' | 'store'>,
  accountId: AccountId,
  away: readonly AwayLiveAgent[],
): Promise<readonly Colleague[]> =>
  colleaguesOf(await store.access.deskSeats.list(accountId, clock.now(), MOST_SEATS), away)

/** Reads which live agents are at the desk of an account now, and its roster. */
export async function readDesk(
  context: Pick<Context, 'clock' | 'store'>,
  accountId: AccountId,
): Promise<{ readonly colleagues: readonly Colleague[]; readonly roster: DeskRoster }> {
  const roster = await readRoster(context, accountId)
  return { roster, colleagues: await readSeats(context, accountId, roster.away) }
}

/** Reads how many visitors the live agents of an account talk to, by their ids. */
export async function readTalks(
  { store }: Pick<Context, 'store'>,
  accountId: AccountId,
): Promise<ReadonlyMap<string, number>> {
  const talks = new Map<string, number>()
  for (const { liveAgentId } of await store.conversations.handoffs.list(accountId, 'active'))
    if (liveAgentId !== null) talks.set(liveAgentId, (talks.get(liveAgentId) ?? 0) + 1)
  return talks
}

/** Returns the most visitors whom a live agent may talk to at once: what their seat says, or the platform (DK604). */
export const talksAtOnceOf = (
  { settings }: Pick<Context, 'settings'>,
  colleagues: readonly Colleague[],
  liveAgentId: string,
): number => colleagues.find(one => one.liveAgent.id === liveAgentId)?.talksAtOnce ?? settings.talksAtOnce

/**
 * Keeps a seat at the desk until it is left: writes at once and at every beat, so the seat of a process that died
 * expires.
 *
 * @param track is given every write, which never rejects
 * @param changed is called when others see that somebody sits down or leaves
 */
export function keepSeat(
  { clock, settings, store }: Pick<Context, 'clock' | 'settings' | 'store'>,
  seat: Omit<DeskSeat, 'until'>,
  track: (work: Promise<void>) => void,
  changed: (accountId: AccountId) => void,
): { readonly kept: Promise<void>; leave(): void } {
  const { liveAgentAbsence: absence, onError } = settings
  const { deskSeats } = store.access
  // One write after the other: a seat that was left must not come back.
  let last = Promise.resolve()
  const then = (write: () => Promise<void>): void => {
    last = last.then(write).catch(error => onError(error, 'live agent attendance'))
    track(last)
  }
  const keep = (): void =>
    then(() => {
      const now = clock.now()
      return deskSeats.keep({ ...seat, until: now + attendanceReach(absence) }, now)
    })
  keep()
  const kept = last.then(() => changed(seat.accountId))
  const letGo = every(clock, attendanceBeat(absence), keep)
  return {
    kept,
    leave() {
      letGo()
      then(() => deskSeats.remove(seat.id))
      void last.then(() => changed(seat.accountId))
    },
  }
}
