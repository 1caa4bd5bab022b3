import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { type ConversationNotice, type Notices, topics } from '../../ports/notices.ts'
import type { FeedParts } from './feed.ts'
import { type CachedLog, Room, type RoomParts } from './room.ts'

/** The conversations that this process needs, or has written last. */
export interface Rooms {
  /** Returns the conversation's room. It stays as long as it is used or remembered: get it again after every wait. */
  of(id: ConversationId): Room
  /** Returns the conversation's room if there is one. */
  find(id: ConversationId): Room | undefined
  all(): Iterable<Room>
  /** Notes that a part of the room is remembered, or was used. The rooms used last are remembered. */
  remember(room: Room): void
  /** Notes that a part of the room has ended. The room goes unless it is used or remembered. */
  settled(room: Room): void
  /** Caches the newest events of a log, or none. Those of the rooms used longest ago make place. */
  cacheLog(room: Room, log: CachedLog | null): void
  /** Notifies the listeners of a conversation, in this process and in others. */
  publish(id: ConversationId, notice: ConversationNotice): void
  /** Publishes the length of the log. Listeners that are behind read on. */
  publishLength(conversation: Pick<ConversationState, 'id' | 'sequence'>): void
}

/** Bytes of all cached events. */
const MOST_BYTES = 16_777_216

/** The share of remembered rooms, and of cached bytes, that goes at once. Those in use are passed over each time. */
const FORGOTTEN = 0.1

export function createRooms({ notices, ...own }: FeedParts & { readonly notices: Notices }): Rooms {
  const most = own.settings.limits.cachedConversations
  const rooms = new Map<ConversationId, Room>()
  let remembered = 0
  let cachedBytes = 0

  function setLog(room: Room, log: CachedLog | null): void {
    cachedBytes += (log?.bytes ?? 0) - (room.log?.bytes ?? 0)
    room.log = log
  }

  function settled(room: Room): void {
    if (room.isCounted && !room.isRemembered) {
      room.isCounted = false
      remembered--
    }
    if (room.isUsed || room.isCounted) return
    setLog(room, null)
    rooms.delete(room.id)
  }

  /** Forgets the rooms that were used longest ago. */
  function makeRoom(): void {
    const left = most * (1 - FORGOTTEN)
    for (const room of rooms.values()) {
      if (remembered <= left) return
      setLog(room, null)
      room.forget()
      settled(room)
    }
  }

  const { others } = notices
  const parts: RoomParts = {
    ...own,
    settled,
    listen: others && (room => notices.subscribe(topics.conversation(room.id), room)),
  }

  function of(id: ConversationId): Room {
    const known = rooms.get(id)
    if (known !== undefined) return known
    const room = new Room(id, parts)
    rooms.set(id, room)
    return room
  }

  function publish(id: ConversationId, notice: ConversationNotice): void {
    rooms.get(id)?.publish(notice)
    others?.publish(topics.conversation(id), notice)
  }

  return {
    of,
    find: id => rooms.get(id),
    all: () => rooms.values(),
    settled,
    cacheLog(room, log) {
      setLog(room, log)
      if (cachedBytes <= MOST_BYTES) return
      for (const one of rooms.values()) {
        if (cachedBytes <= MOST_BYTES * (1 - FORGOTTEN)) return
        setLog(one, null)
      }
    },
    publish,
    publishLength: ({ id, sequence }) => publish(id, { sequence, events: [], transients: [] }),
    remember(room) {
      if (!room.isCounted) remembered++
      room.isCounted = true
      rooms.delete(room.id)
      rooms.set(room.id, room)
      if (remembered > most) makeRoom()
    },
  }
}
