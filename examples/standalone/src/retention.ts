import { type Clock, type Log, type Platform, systemClock } from '@colloquy/core'
import { millisecondsInDay } from 'date-fns/constants'

/** The automatic removal of old conversations. */
export interface Retention {
  /** Stops it. Resolves when a purge in progress has stopped. */
  stop(): Promise<void>
}

/**
 * Removes conversations that finished more than `days` days ago, at once and then once a day. Errors are logged,
 * and the next day tries again.
 */
export function startRetention(
  { conversations }: Pick<Platform, 'conversations'>,
  days: number,
  { log, clock = systemClock }: { readonly log: Log; readonly clock?: Clock },
): Retention {
  const stopping = new AbortController()
  const { signal } = stopping
  let cancel = (): void => undefined

  async function purge(): Promise<void> {
    try {
      const purged = await conversations.purge({ olderThan: clock.now() - days * millisecondsInDay, signal })
      log.info('Old conversations were removed', { ...purged, retentionDays: days })
    } catch (error) {
      if (!signal.aborted) log.error('Old conversations could not be removed', { error: String(error) })
    }
    if (!signal.aborted) cancel = clock.schedule(millisecondsInDay, run)
  }

  let running = purge()
  function run(): void {
    running = purge()
  }

  return {
    async stop() {
      stopping.abort()
      cancel()
      await running
    },
  }
}
