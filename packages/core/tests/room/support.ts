import { busParts } from '@colloquy/test-support/bus-ends'
import { createNotices } from '../../src/guarded/notices.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { silentLog } from '../../src/ports/log.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { createRooms } from '../../src/usecases/room/rooms.ts'

/** The number of conversations that the process remembers. */
export const MOST_ROOMS = 10

/** The rooms of a process, and what its `onError` has heard. */
export function aProcess() {
  const heard: unknown[] = []
  const settings = resolveSettings(
    { limits: { cachedConversations: MOST_ROOMS }, onError: error => heard.push(error) },
    silentLog,
  )
  const clock = createFakeClock()
  const notices = createNotices(null, busParts('here'))
  const rooms = createRooms({ notices, clock, settings, store: createMemoryStore() })
  return { rooms, heard }
}
