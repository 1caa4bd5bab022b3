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

/**
 * The time without a message after which the connection counts as lost, milliseconds. The server sends something every
 * 15 s at least.
 */
const SILENCE = 40_000

/** Aborts with the signal, when the browser goes offline, and once `heard` was not called for too long. */
function whileHeard(until: AbortSignal) {
  const gone = new AbortController()
  const give = (): void => gone.abort()
  let timer = setTimeout(give, SILENCE)
  until.addEventListener('abort', give)
  addEventListener('offline', give)
  return {
    signal: gone.signal,
    heard(): void {
      clearTimeout(timer)
      timer = setTimeout(give, SILENCE)
    },
    end(): void {
      gone.abort()
      clearTimeout(timer)
      until.removeEventListener('abort', give)
      removeEventListener('offline', give)
    },
  }
}

/** Resolves after so long, when the browser is online again, or with the signal. */
const paused = (milliseconds: number, until: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const go = (): void => {
      clearTimeout(timer)
      until.removeEventListener('abort', go)
      removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, milliseconds)
    until.addEventListener('abort', go)
    addEventListener('online', go)
  })

/** Follows the desk until the signal aborts, through lost networks and restarted servers. */
export async function followDesk(personId: string, listener: Listener, until: AbortSignal): Promise<void> {
  for (let failures = 0; !until.aborted; failures++) {
    const line = whileHeard(until)
    try {
      const path = `/desk/v1/events?agent_id=${encodeURIComponent(personId)}`
      const reader = await openEvents(path, line.signal)
      const eventsOf = createEventReader()
      const decoder = new TextDecoder()
      listener.opened()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        line.heard()
        failures = 0
        for (const { name, data } of eventsOf(decoder.decode(value, { stream: true })))
          if (name === 'message') listener.frame(JSON.parse(data) as DeskFrame)
      }
    } catch {
      // Lost: it is tried again.
    } finally {
      line.end()
    }
    if (until.aborted) return
    listener.lost()
    await paused(pauseAfter(failures, Math.random()), until)
  }
}
