import type { AccountId } from '../ids.ts'
import type { Acceptor } from './desk-actor.ts'
import type { AwayLiveAgent } from './desk-roster.ts'
import type { DeskService } from './desk-service.ts'
import type { Handoff } from './state.ts'

/** A live agent who watches the desk of an account through one socket, as of its newest sign (DK15). */
export interface DeskSeat extends DeskService {
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
  /** The skills of all sockets. */
  readonly skills: readonly string[]
  /** The most visitors at once, as the socket says that lasts longest; null: as many as the platform allows. */
  readonly talksAtOnce: number | null
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
  for (const seat of seats.toSorted((one, other) => one.until - other.until)) {
    const { acceptor, liveAgent, queues, skills = [], talksAtOnce = null } = seat
    const before = byId.get(liveAgent.id)
    byId.set(liveAgent.id, {
      ...{ liveAgent, acceptor, talksAtOnce, awaySince: sinceOf.get(liveAgent.id) ?? null },
      queues: before === undefined ? queues : joined(before.queues, queues),
      skills: [...new Set([...(before?.skills ?? []), ...skills])],
    })
  }
  return [...byId.values()].toSorted((one, other) => (one.liveAgent.id < other.liveAgent.id ? -1 : 1))
}

const joined = (one: DeskSeat['queues'], other: DeskSeat['queues']): DeskSeat['queues'] =>
  one === null || other === null ? null : [...new Set([...one, ...other])]

/** Reports whether a live agent serves a queue. */
export const serves = ({ queues }: Colleague, queueName: string): boolean =>
  queues === null || queues.includes(queueName)
