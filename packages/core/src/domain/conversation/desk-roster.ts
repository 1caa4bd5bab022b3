import type { AccountId } from '../ids.ts'

/** The most live agents of an account who are remembered as away; the newest ones stay. */
const MOST_AWAY = 1_000

/** A live agent who takes no new visitors for a while. */
export interface AwayLiveAgent {
  readonly liveAgentId: string
  /** Since when, milliseconds since the epoch. */
  readonly since: number
}

/** Who is away at the desk of an account. One document, so that every change of it is one write. */
export interface DeskRoster {
  readonly accountId: AccountId
  readonly away: readonly AwayLiveAgent[]
  readonly version: number
}

/** Returns the roster of an account that has none yet. */
export const emptyRoster = (accountId: AccountId): DeskRoster => ({ accountId, away: [], version: 0 })

/**
 * Returns a roster with a live agent who is away since that moment, or is back (null). The same roster if nothing
 * changes: who is away already stays so since the first time.
 */
export function withAway(roster: DeskRoster, liveAgentId: string, since: number | null): DeskRoster {
  const isAway = roster.away.some(one => one.liveAgentId === liveAgentId)
  if (isAway === (since !== null)) return roster
  if (since === null) return { ...roster, away: roster.away.filter(one => one.liveAgentId !== liveAgentId) }
  return { ...roster, away: [...roster.away, { liveAgentId, since }].slice(-MOST_AWAY) }
}
