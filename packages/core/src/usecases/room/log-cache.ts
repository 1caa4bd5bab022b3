import { jsonOfEvent } from '../../domain/conversation/decided-event.ts'
import type { ConversationEvent, EventJson } from '../../domain/conversation/event.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { ConversationStore } from '../../ports/store/conversations.ts'
import type { CachedLog } from './room.ts'
import type { Rooms } from './rooms.ts'

/** Bytes of the cached events of one log: a model is shown fewer. */
const MOST_OF_ONE = 131_072

/** The size of an event in memory, apart from its payload. */
const OVERHEAD = 512

/**
 * The newest events of the logs that turns have read, as this process has read or written them: in the room of each
 * open conversation that it has written. A log only grows, so they stay true; what others add is read from the store.
 * For conversations whose ids are never used again.
 */
export interface LogCache extends Pick<ConversationStore, 'eventsBefore'> {
  /** Takes what this process has added to a log, which is not needed after its end. */
  added(id: ConversationId, events: readonly ConversationEvent[]): void
}

/** Consecutive events, oldest first. */
type Run = readonly EventJson[]

const sizeOf = ({ payload }: EventJson): number => payload.text.length + OVERHEAD

/** Returns the newest events of a run that may be cached. */
function newestOf(run: Run): Run {
  let left = MOST_OF_ONE
  const tooOld = run.findLastIndex(event => {
    left -= sizeOf(event)
    return left < 0
  })
  return tooOld === -1 ? run : run.slice(tooOld + 1)
}

/** Joins a run with what was read of the same log. Returns one of the two if events are missing between them. */
function joined(run: Run, read: Run): Run {
  const [first, last] = [run[0]?.sequence, run.at(-1)?.sequence]
  if (first === undefined || last === undefined) return read
  const before = read.filter(({ sequence }) => sequence < first)
  const after = read.filter(({ sequence }) => sequence > last)
  if ((after[0]?.sequence ?? last + 1) !== last + 1) return read
  if ((before.at(-1)?.sequence ?? first - 1) !== first - 1) return run
  return [...before, ...run, ...after]
}

const cached = (events: Run): CachedLog => ({
  events,
  bytes: events.reduce((size, event) => size + sizeOf(event), OVERHEAD),
})

/** Creates the cache of a process. */
export function createLogCache(
  store: Pick<ConversationStore, 'eventsBefore'>,
  rooms: Pick<Rooms, 'find' | 'cacheLog'>,
): LogCache {
  return {
    async eventsBefore(id, before, bounds) {
      const run = rooms.find(id)?.log?.events ?? []
      const first = run[0]?.sequence ?? before
      const next = first + run.length
      if (first < before && before <= next)
        return run.slice(Math.max(before - first - bounds.count, 0), before - first).reverse()
      // No more than are missing.
      const count = before > next && run.length > 0 ? Math.min(bounds.count, before - next) : bounds.count
      const read = await store.eventsBefore(id, before, { ...bounds, count })
      const room = rooms.find(id)
      if (room?.isOurs && read.length > 0)
        rooms.cacheLog(room, cached(newestOf(joined(room.log?.events ?? [], read.toReversed()))))
      return read
    },
    added(id, events) {
      const room = rooms.find(id)
      const [first] = events
      if (!room?.log || first === undefined) return
      if (!room.isOurs) return rooms.cacheLog(room, null)
      if (room.log.events.at(-1)?.sequence !== first.sequence - 1) return
      rooms.cacheLog(room, cached(newestOf([...room.log.events, ...events.map(jsonOfEvent)])))
    },
  }
}
