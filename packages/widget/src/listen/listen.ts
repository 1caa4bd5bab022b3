import { browserStorage, type MessagingStorage } from '@colloquy/client/messaging'
import { memory } from '../chat/device.ts'
import { countInTitle, ring } from '../chat/more/device.ts'
import { wordsOf } from '../extra/words.ts'
import type { Frame } from '../launcher/part.ts'
import { type Follow, type Followed, parse } from './follow.ts'

/** For how long a device begins with streams where sockets did not get through, milliseconds. */
const STREAMS_FOR = 3_600_000

/** Returns the session that the device holds of whoever the page says the visitor is; null for none. */
async function storedSession({ options }: Frame, storage: MessagingStorage): Promise<Followed | null> {
  const { identity = null, 'no-sockets': until, session } = await storage.read()
  const { id, token } = Object(parse(session))
  const value = Object(token).value
  if (typeof id !== 'string' || typeof value !== 'string' || identity !== (options.identity ?? null))
    return null
  const { path = '/ws', server } = options
  return { server, path, id, token: value, overStreams: Number(until) > Date.now() }
}

/**
 * Follows the session that the device holds after the visitor has closed the chat and gone to another page: reports new
 * messages, and shows that the visitor is still there. Only one page of the device does so: the one that was used last.
 *
 * @param signal ends it
 */
export async function listen(frame: Frame, follow: Follow, signal: AbortSignal): Promise<void> {
  const { host, name, options, unread: show } = frame
  const storage = options.storage ?? browserStorage({ name })
  const session = await storedSession(frame, storage).catch(() => null)
  if (session === null) return
  const words = wordsOf(host.lang).unread

  async function followUntil(until: AbortSignal): Promise<void> {
    let before: number | null = null
    const hears = {
      said(count: number): void {
        const unread = Math.max(0, count - Number(memory.read(`${name}.seen`)))
        show(unread, words.replace('{n}', String(unread)))
        if (options.countInTitle) countInTitle(unread)
        if (options.sound && before !== null && unread > before) ring()
        before = unread
      },
      streamsWork: () => void storage.write('no-sockets', String(Date.now() + STREAMS_FOR)),
    }
    await follow(session as Followed, hears, until)
    if (options.countInTitle) countInTitle(0)
  }

  const { locks } = navigator
  // Pages over plain HTTP have no locks: each of them listens.
  if (locks === undefined) return followUntil(signal)
  function takeOver(): void {
    if (document.hidden || signal.aborted) return
    const mine = new AbortController()
    signal.addEventListener('abort', () => mine.abort())
    locks
      .request(`${name}.listens`, { steal: true }, () => followUntil(mine.signal))
      // Another page listens now.
      .catch(() => mine.abort())
  }
  document.addEventListener('visibilitychange', takeOver, { signal })
  takeOver()
}
