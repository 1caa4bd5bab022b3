import type { AccountId } from '../ids.ts'

/** The most live agents of an account who are remembered as away; the newest ones stay. */
const MOST_AWAY = 1_000

/** A live agent who takes no new visitors for a while. */
export interface AwayLiveAgent {
  readonly liveAgentId: string
  /** Since when, milliseconds since the epoch. */
  readonly since: number
}

/** A waiting visitor is offered to a live agent, who alone accepts them until then. */
export interface Offer {
  readonly handoffId: string
  readonly liveAgent: { readonly id: string; readonly name: string }
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** The live agents to whom a waiting visitor was offered in vain. */
export interface Passed {
  readonly handoffId: string
  readonly liveAgentIds: readonly string[]
}

/**
 * The live agents of an account who are away, and the offers of its waiting visitors. One document, so that every
 * change of it is one write.
 */
export interface DeskRoster {
  readonly accountId: AccountId
  readonly away: readonly AwayLiveAgent[]
  readonly offers: readonly Offer[]
  readonly passed: readonly Passed[]
  /** Ids of the live agents who had offers, the one with the newest offer last. */
  readonly turns: readonly string[]
  readonly version: number
}

/** Returns the roster of an account that has none yet. */
export const emptyRoster = (accountId: AccountId): DeskRoster => ({
  ...{ accountId, away: [], offers: [], passed: [], turns: [], version: 0 },
})

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
