import type { Room } from './room.ts'
import type { Rooms } from './rooms.ts'

/**
 * Stores the last sign of life of every visitor, and no later one. Resolves once the commands in progress are done:
 * sockets that have just closed may have left some.
 */
export async function endPresence(rooms: Pick<Rooms, 'all' | 'settled'>): Promise<void> {
  const all = [...rooms.all()]
  for (const { session } of all) {
    session?.presence.flush()
    session?.presence.stop()
  }
  const quiet = async (room: Room): Promise<void> => {
    await room.lock.during(async () => {})
    rooms.settled(room)
  }
  await Promise.all(all.map(quiet))
}
