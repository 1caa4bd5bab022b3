import type { DeskRoster } from '../../domain/conversation/desk-roster.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { AccountId, HandoffId } from '../../domain/ids.ts'
import { type Subscription, topics } from '../../ports/notices.ts'
import type { Job } from '../../schedule/scheduler.ts'
import { callHost } from '../../shared/call-host.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { newestFirst } from '../conversation/turn/read-log.ts'
import { createFresh } from '../shared/fresh.ts'
import type { DeskEvent, DeskListener } from './desk-event.ts'
import type { DeskHandoff } from './desk-handoff.ts'
import { FollowedHandoff, type FoundHandoff } from './follow-handoff.ts'
import { readLastLine } from './last-line.ts'

/** Watches the lines of accounts; everything of one account is shared by its listeners in this process. */
export interface DeskFeeds {
  /**
   * Sends the listener the waiting and active handoffs, then resolves. From then on sends each event once. The returned
   * function ends it. Rejects when the store cannot be read.
   */
  watch(accountId: AccountId, listener: DeskListener): Promise<() => void>
}

/** The agent hands over, or the live agent before has left: the newest one begins the newest handoff. */
const BEGINNINGS: ReadonlySet<string> = new Set(['AI_AGENT_TRIGGERED_HANDOFF', 'LIVE_AGENT_LEFT'])

/** Events read to find where a handoff began; one that is new stands at the log's end. */
const BEGINNING = 200

type Parts = {
  readonly context: Context
  readonly desk: {
    handoffs(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly DeskHandoff[]>
    roster(accountId: AccountId): Promise<DeskRoster>
  }
  readonly engine: Pick<Engine, 'load'>
}

export function createDeskFeeds(parts: Parts): DeskFeeds {
  const watched = new Map<AccountId, AccountFeed>()
  return {
    async watch(accountId, listener) {
      const line = watched.get(accountId) ?? new AccountFeed(parts, accountId)
      watched.set(accountId, line)
      return line.join(listener, () => watched.delete(accountId))
    },
  }
}

/** The line of one account, from its first listener to its last. */
class AccountFeed {
  readonly #parts: Parts
  readonly #accountId: AccountId
  readonly #listeners = new Set<DeskListener>()
  readonly #followed = new Map<HandoffId, FollowedHandoff>()
  readonly #subscription: Subscription
  readonly #job: Job
  readonly #readLists: () => Promise<void>
  /** The position of each one in the lists that were read last, which are in order of arrival. */
  #order: ReadonlyMap<HandoffId, number> = new Map()
  /** The live agents who were away when the desk was read last. */
  #away: ReadonlyMap<string, number> = new Map()
  /** Listeners, including those that wait for their snapshot. */
  #users = 0
  #closed = false
  /** False until the line was read once: what it held then began before it was watched. */
  #known = false

  constructor(parts: Parts, accountId: AccountId) {
    const { notices, scheduler, settings } = parts.context
    this.#parts = parts
    this.#accountId = accountId
    this.#readLists = createFresh(async () => {
      if (!this.#closed) await this.#compare()
    })
    const changed = (): void => void this.#readLists().catch(this.#report)
    this.#subscription = notices.subscribe(topics.line(accountId), { notice: changed, gap: changed })
    const { queueStatusInterval } = settings
    this.#job = scheduler.begin({
      name: 'desk feed',
      pause: queueStatusInterval,
      round: () => this.#readAgain(),
      retryAfter: queueStatusInterval,
    })
  }

  /** Adds a listener. `gone` is called at once when no watcher is left. */
  async join(listener: DeskListener, gone: () => void): Promise<() => void> {
    // A listener that is added twice is called twice.
    const own: DeskListener = event => listener(event)
    let left = false
    this.#users++
    const leave = (): void => {
      if (left) return
      left = true
      this.#listeners.delete(own)
      this.#users--
      if (this.#users > 0) return
      this.#close()
      gone()
    }
    try {
      await this.#readLists()
    } catch (error) {
      leave()
      throw error
    }
    for (const event of snapshot(this.#followed, this.#order)) this.#inform(own, event)
    for (const handoff of this.#followed.values())
      for (const event of handoff.presence()) this.#inform(own, event)
    for (const event of awayChanges(new Map(), this.#away)) this.#inform(own, event)
    this.#listeners.add(own)
    return leave
  }

  #close(): void {
    this.#closed = true
    this.#subscription.end()
    void this.#job.stop()
    for (const handoff of this.#followed.values()) handoff.dispose()
    this.#followed.clear()
  }

  /** Reads the lists again, in case a notice was lost. */
  async #readAgain(): Promise<number> {
    await this.#readLists()
    for (const handoff of [...this.#followed.values()]) {
      await handoff.readOn()
      handoff.ask()
      await handoff.readBeside()
    }
    return this.#parts.context.settings.queueStatusInterval
  }

  async #compare(): Promise<void> {
    const { desk } = this.#parts
    // In this order: a handoff that is accepted between the two is in both, and active.
    const waiting = await desk.handoffs(this.#accountId, 'waiting')
    const active = await desk.handoffs(this.#accountId, 'active')
    const line = new Map([...waiting, ...active].map(listed => [listed.handoffId, listed]))
    this.#order = new Map([...waiting, ...active].map(({ handoffId }, rank) => [handoffId, rank]))
    for (const handoff of [...this.#followed.values()]) {
      const listed = line.get(handoff.id)
      if (listed !== undefined) handoff.placed(listed)
      else await handoff.readOn().then(() => handoff.vanish())
    }
    for (const listed of line.values())
      if (!this.#closed && !this.#followed.has(listed.handoffId)) await this.#discover(listed)
    for (const { handoffId } of active) {
      const handoff = this.#followed.get(handoffId)
      if (handoff?.current().type === 'waiting') await handoff.readOn()
    }
    await this.#compareAway()
    this.#known = true
  }

  async #compareAway(): Promise<void> {
    const before = this.#away
    const { away } = await this.#parts.desk.roster(this.#accountId)
    this.#away = new Map(away.map(({ liveAgentId, since }) => [liveAgentId, since]))
    for (const event of awayChanges(before, this.#away)) this.#tell(event)
  }

  async #discover(listed: DeskHandoff): Promise<void> {
    const found = await beginning(this.#parts, listed, this.#known)
    if (found === null) return
    if (this.#closed) {
      found.room.unfollow()
      return
    }
    const handoff = new FollowedHandoff(this.#parts.context, found, {
      tell: event => this.#tell(event),
      over: () => this.#followed.delete(listed.handoffId),
    })
    this.#followed.set(listed.handoffId, handoff)
    this.#tell(handoff.current())
    await handoff.readOn()
  }

  #tell(event: DeskEvent): void {
    for (const listener of this.#listeners) this.#inform(listener, event)
  }

  #inform(listener: DeskListener, event: DeskEvent): void {
    callHost(() => listener(event), this.#report)
  }

  readonly #report = (error: unknown): void => this.#parts.context.settings.onError(error, 'desk feed')
}

/** Returns the events that tell who has gone away or come back between two readings. */
const awayChanges = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly DeskEvent[] => [
  ...[...before.keys()]
    .filter(id => !after.has(id))
    .map((liveAgentId): DeskEvent => ({ type: 'away', liveAgentId, since: null })),
  ...[...after]
    .filter(([id, since]) => before.get(id) !== since)
    .map(([liveAgentId, since]): DeskEvent => ({ type: 'away', liveAgentId, since })),
]

/** Returns the events of waiting handoffs, then those of active ones, each oldest first. */
const snapshot = (
  followed: ReadonlyMap<HandoffId, FollowedHandoff>,
  order: ReadonlyMap<HandoffId, number>,
) => {
  const events = [...followed.values()].map(handoff => handoff.current())
  const positionOf = ({ handoff }: (typeof events)[number]) => order.get(handoff.handoffId) ?? order.size
  const byAge = events.toSorted((one, other) => positionOf(one) - positionOf(other))
  return [
    ...byAge.filter(event => event.type === 'waiting'),
    ...byAge.filter(event => event.type === 'accepted'),
  ]
}

/**
 * Returns the handoff and the position from which to follow it. One that began while the line was watched is followed
 * from its beginning, so that earlier messages of the visitor are reported. Another one is followed from now on. Null
 * when it is over by now.
 */
async function beginning(
  { context, engine }: Parts,
  listed: DeskHandoff,
  isNew: boolean,
): Promise<FoundHandoff | null> {
  const state = await engine.load(listed.sessionId)
  if (state?.handoff?.id !== listed.handoffId) return null
  const { status, liveAgent } = state.handoff
  if (status !== 'waiting' && status !== 'active') return null
  const notes = await context.store.conversations.notes.last(state.id)
  const room = context.rooms.of(state.id)
  const feed = room.follow(state)
  const connects = state.kind === 'messaging'
  if (!isNew) {
    const position = status === 'waiting' ? listed.position : null
    const lastLine = status === 'waiting' ? await readLastLine(context, state) : null
    const handoff = { ...listed, status, position, agent: liveAgent, lastLine }
    return { room, feed, start: { connects, handoff, status, position: state.sequence, notes } }
  }
  try {
    const position = await beganAt(context, state)
    const lastLine = await readLastLine(context, { id: state.id, sequence: position })
    return {
      room,
      feed,
      start: {
        ...{
          connects,
          handoff: { ...listed, status: 'waiting', agent: null, lastLine },
          status: 'waiting',
          position,
          notes,
        },
      },
    }
  } catch (error) {
    room.unfollow()
    throw error
  }
}

/**
 * Returns the sequence of the event with which the newest handoff began. If that lies far back, returns that of a later
 * event, before which nothing is reported.
 */
async function beganAt({ store }: Context, { id, sequence }: ConversationState): Promise<number> {
  for await (const event of newestFirst(store.conversations, id, sequence, BEGINNING))
    if (BEGINNINGS.has(event.type)) return event.sequence
  return Math.max(sequence - BEGINNING, 0)
}
