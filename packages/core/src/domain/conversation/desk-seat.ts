import type { AccountId } from '../ids.ts'
import type { Acceptor } from './desk-actor.ts'
import type { AwayLiveAgent } from './desk-roster.ts'
import type { Handoff } from './state.ts'

/** A live agent who watches the desk of an account through one socket, as of its newest sign (DK547). */
export interface DeskSeat {
  /** Id of the socket. */
  readonly id: string
  readonly accountId: AccountId
  readonly liveAgent: NonNullable<Handoff['liveAgent']>
  /** As whom the live agent watches. */
  readonly acceptor: Acceptor
  /** The queues that the live agent serves; null: all. */
  readonly queues: readonly string[] | null
  /** Time at which the seat counts as left if there is no further sign, milliseconds. */
  readonly until: number
}

/** A live agent who is at the desk now, with everything that is served through all sockets. */
export interface Colleague extends Pick<DeskSeat, 'liveAgent' | 'acceptor' | 'queues'> {
  /** Since when the live agent is away, milliseconds; null for one who takes visitors. */
  readonly awaySince: number | null
}

/** Returns the live agents of some seats, each once, in the order of their ids. */
export function colleaguesOf(
  seats: readonly DeskSeat[],
  away: readonly AwayLiveAgent[],
): readonly Colleague[] {
  const sinceOf = new Map(away.map(({ liveAgentId, since }) => [liveAgentId, since]))
  const byId = new Map<string, Colleague>()
  // Several sockets of a live agent: the one counts that lasts longest.
  for (const { liveAgent, acceptor, queues } of seats.toSorted((one, other) => one.until - other.until)) {
    const before = byId.get(liveAgent.id)
    const all = before === undefined ? queues : joined(before.queues, queues)
    const awaySince = sinceOf.get(liveAgent.id) ?? null
    byId.set(liveAgent.id, { liveAgent, acceptor, queues: all, awaySince })
  }
  return [...byId.values()].toSorted((one, other) => (one.liveAgent.id < other.liveAgent.id ? -1 : 1))
}

const joined = (one: DeskSeat['queues'], other: DeskSeat['queues']): DeskSeat['queues'] =>
  one === null || other === null ? null : [...new Set([...one, ...other])]

/** Reports whether a live agent serves a queue. */
export const serves = ({ queues }: Colleague, queueName: string): boolean =>
  queues === null || queues.includes(queueName)
