import type { Actor } from '../../domain/audit/audit.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import { createLastUsed } from '../shared/last-used.ts'

/** The longest time between two requests that belong together, milliseconds. */
const TOGETHER = 600_000

/** Listenings that are remembered. One that is forgotten is noted once more. */
const REMEMBERED = 10_000

/** The listenings that this process has noted. */
export interface Listenings {
  /** Calls `write`, unless the actor's listening to that conversation is noted. */
  note(actor: Actor, conversation: ConversationId, write: () => Promise<void>): Promise<void>
}

/**
 * Tells listenings from requests (AU14): a player asks for range after range. Those that wait for the same note fail
 * with it.
 */
export function createListenings(clock: Pick<Clock, 'now'>): Listenings {
  const noted = createLastUsed<string, { readonly until: number; readonly written: Promise<void> }>(
    REMEMBERED,
  )
  return {
    note({ id, name, type }, conversation, write) {
      const key = JSON.stringify([type, id, name, conversation])
      const known = noted.get(key)
      const until = clock.now() + TOGETHER
      if (known !== undefined && clock.now() < known.until) {
        noted.set(key, { ...known, until })
        return known.written
      }
      const written = write()
      noted.set(key, { until, written })
      written.catch(() => noted.delete(key))
      return written
    },
  }
}
