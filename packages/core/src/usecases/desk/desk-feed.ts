import type { ConversationState } from '../../domain/conversation/state.ts'
import type { AccountId, HandoffId } from '../../domain/ids.ts'
import { topics } from '../../ports/notices.ts'
import { callHost } from '../../shared/call-host.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { newestFirst } from '../conversation/turn/read-log.ts'
import { createFresh } from '../shared/fresh.ts'
import type { DeskEvent, DeskListener } from './desk-event.ts'
import type { DeskHandoff } from './desk-handoff.ts'
import { type FollowedHandoff, type FoundHandoff, followHandoff } from './follow-handoff.ts'

/** Watches the lines of accounts; everything of one account is shared by its listeners in this process. */
export interface DeskFeeds {
  /**
   * Tells the listener what waits and what is active, then resolves; from then on tells it what happens, each thing
   * once. The returned function ends it. Rejects when the store cannot be read.
   */
  watch(accountId: AccountId, listener: DeskListener): Promise<() => void>
}

/** Events read to find where a handoff began; one that is new stands at the log's end. */
const BEGINNING = 200

type Parts = {
  readonly context: Context
  readonly desk: {
    handoffs(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly DeskHandoff[]>
  }
  readonly engine: Pick<Engine, 'load'>
}

export function createDeskFeeds(parts: Parts): DeskFeeds {
  const watched = new Map<AccountId, ReturnType<typeof createAccountFeed>>()
  return {
    async watch(accountId, listener) {
      const line = watched.get(accountId) ?? createAccountFeed(parts, accountId)
      watched.set(accountId, line)
      return line.join(listener, () => watched.delete(accountId))
    },
  }
}

/**
 * The line of one account, from its first listener to its last. Long because listeners, lists and followed handoffs
 * change together.
 */
function createAccountFeed(parts: Parts, accountId: AccountId) {
  const { notices, settings } = parts.context
  const listeners = new Set<DeskListener>()
  const followed = new Map<HandoffId, FollowedHandoff>()
  /** Where each one stood in the lists that were read last, which are in order of arrival (TM10). */
  let order: ReadonlyMap<HandoffId, number> = new Map()
  /** Listeners, including those that wait for their snapshot. */
  let users = 0
  let closed = false
  /** False until the line was read once: what it held then began before it was watched. */
  let known = false

  const report = (error: unknown): void => settings.onError(error, 'desk feed')

  function tell(event: DeskEvent): void {
    for (const listener of listeners) inform(listener, event)
  }

  function inform(listener: DeskListener, event: DeskEvent): void {
    callHost(() => listener(event), report)
  }

  async function discover(listed: DeskHandoff): Promise<void> {
    const found = await beginning(parts, listed, known)
    if (found === null) return
    if (closed) {
      found.room.unfollow()
      return
    }
    const handoff = followHandoff(parts.context, found, tell, () => followed.delete(listed.handoffId))
    followed.set(listed.handoffId, handoff)
    tell(handoff.current())
    await handoff.readOn()
  }

  async function compare(): Promise<void> {
    // In this order: a handoff that is accepted between the two is in both, and active.
    const waiting = await parts.desk.handoffs(accountId, 'waiting')
    const active = await parts.desk.handoffs(accountId, 'active')
    const line = new Map([...waiting, ...active].map(listed => [listed.handoffId, listed]))
    order = new Map([...waiting, ...active].map(({ handoffId }, rank) => [handoffId, rank]))
    for (const handoff of [...followed.values()]) {
      const listed = line.get(handoff.id)
      if (listed !== undefined) handoff.placed(listed)
      else await handoff.readOn().then(() => handoff.vanish())
    }
    for (const listed of line.values()) if (!closed && !followed.has(listed.handoffId)) await discover(listed)
    for (const { handoffId } of active) {
      const handoff = followed.get(handoffId)
      if (handoff?.current().type === 'waiting') await handoff.readOn()
    }
    known = true
  }

  const readLists = createFresh(async () => {
    if (!closed) await compare()
  })

  /** In case a notice was lost. */
  async function readAgain(): Promise<number> {
    await readLists()
    for (const handoff of [...followed.values()]) {
      await handoff.readOn()
      handoff.ask()
    }
    return settings.queueStatusInterval
  }

  const changed = (): void => void readLists().catch(report)
  const subscription = notices.subscribe(topics.line(accountId), { notice: changed, gap: changed })
  const { queueStatusInterval } = settings
  const job = parts.context.scheduler.begin({
    name: 'desk feed',
    pause: queueStatusInterval,
    round: readAgain,
    retryAfter: queueStatusInterval,
  })

  function close(): void {
    closed = true
    subscription.end()
    void job.stop()
    for (const handoff of followed.values()) handoff.dispose()
    followed.clear()
  }

  return {
    /** `gone` is called at once when no watcher is left. */
    async join(listener: DeskListener, gone: () => void): Promise<() => void> {
      // A listener that is added twice is called twice.
      const own: DeskListener = event => listener(event)
      let left = false
      users++
      const leave = (): void => {
        if (left) return
        left = true
        listeners.delete(own)
        users--
        if (users > 0) return
        close()
        gone()
      }
      try {
        await readLists()
      } catch (error) {
        leave()
        throw error
      }
      for (const event of snapshot(followed, order)) inform(own, event)
      for (const handoff of followed.values()) for (const event of handoff.presence()) inform(own, event)
      listeners.add(own)
      return leave
    },
  }
}

/** What waits, then what is active; each oldest first. */
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
 * Where to take a handoff up: one that began while the line was watched from its beginning, so that what the visitor
 * said meanwhile is told; another from now on. Null when it is over by now.
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
  const room = context.rooms.of(state.id)
  const feed = room.follow(state)
  const connects = state.kind === 'messaging'
  if (!isNew) {
    const position = status === 'waiting' ? listed.position : null
    const handoff = { ...listed, status, position, agent: liveAgent }
    return { room, feed, start: { connects, handoff, status, position: state.sequence } }
  }
  try {
    const position = await beganAt(context, state)
    return {
      room,
      feed,
      start: {
        ...{ connects, handoff: { ...listed, status: 'waiting', agent: null }, status: 'waiting', position },
      },
    }
  } catch (error) {
    room.unfollow()
    throw error
  }
}

/**
 * The sequence of the event with which the newest handoff began; where that lies far back, of one before which nothing
 * is told.
 */
async function beganAt({ store }: Context, { id, sequence }: ConversationState): Promise<number> {
  for await (const event of newestFirst(store.conversations, id, sequence, BEGINNING))
    if (event.type === 'AI_AGENT_TRIGGERED_HANDOFF') return event.sequence
  return Math.max(sequence - BEGINNING, 0)
}
