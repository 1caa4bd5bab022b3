import { openEvents } from '../../api.ts'
import type { DeskFrame } from './desk-state.ts'
import { createEventReader, pauseAfter } from './events.ts'

interface Listener {
  /** The stream has begun: frames from now on. */
  opened(): void
  frame(frame: DeskFrame): void
  /** It broke off, and is opened again after a while. */
  lost(): void
}

/** Follows the desk until the signal aborts, through lost networks and restarted servers. */
export async function followDesk(personId: string, listener: Listener, until: AbortSignal): Promise<void> {
  for (let failures = 0; !until.aborted; failures++) {
    try {
      const reader = await openEvents(`/desk/v1/events?agent_id=${encodeURIComponent(personId)}`, until)
      const eventsOf = createEventReader()
      const decoder = new TextDecoder()
      listener.opened()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        failures = 0
        for (const { name, data } of eventsOf(decoder.decode(value, { stream: true })))
          if (name === 'message') listener.frame(JSON.parse(data) as DeskFrame)
      }
    } catch {
      // Lost: it is tried again.
    }
    if (until.aborted) return
    listener.lost()
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, pauseAfter(failures, Math.random()))
      until.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
