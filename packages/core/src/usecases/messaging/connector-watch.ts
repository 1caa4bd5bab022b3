import type { ConnectorId } from '../../domain/ids.ts'
import { hearRevocation } from '../access/revocation.ts'
import type { Context } from '../context.ts'

/** Watches the connectors through which this process's open sessions came (MS28). */
export interface ConnectorWatch {
  /** Calls `revoked` as soon as this process knows that the connector works no more. The returned function ends it. */
  watch(id: ConnectorId, revoked: () => void): () => void
  /** Asks the store now. Whoever watches the connector is told before this resolves. */
  check(id: ConnectorId): Promise<void>
}

interface Watched {
  readonly watchers: Set<() => void>
  readonly stop: () => void
}

/**
 * One subscription for each connector, however many sessions it has. In case a notice is lost, all of them are looked at
 * every `Settings.revocationCheck`, which costs one read a connector.
 */
export function createConnectorWatch(context: Context): ConnectorWatch {
  const { bus, clock, settings, store } = context
  const connectors = new Map<ConnectorId, Watched>()
  let cancel: (() => void) | null = null

  function tellAll(id: ConnectorId): void {
    for (const watcher of [...(connectors.get(id)?.watchers ?? [])]) watcher()
  }

  async function check(id: ConnectorId): Promise<void> {
    const connector = await store.access.connector(id)
    if (connector === null || connector.revokedAt !== null) tellAll(id)
  }

  function schedule(): void {
    cancel = clock.schedule(settings.revocationCheck, () => {
      schedule()
      Promise.all([...connectors.keys()].map(check)).catch(error =>
        settings.onError(error, 'messaging connectors'),
      )
    })
  }

  function begin(id: ConnectorId): Watched {
    const watched = { watchers: new Set<() => void>(), stop: hearRevocation(bus, id, () => tellAll(id)) }
    connectors.set(id, watched)
    if (cancel === null) schedule()
    return watched
  }

  function end(id: ConnectorId, { stop }: Watched): void {
    stop()
    connectors.delete(id)
    if (connectors.size > 0) return
    cancel?.()
    cancel = null
  }

  return {
    watch(id, revoked) {
      const watched = connectors.get(id) ?? begin(id)
      const watcher = (): void => revoked()
      watched.watchers.add(watcher)
      return () => {
        if (watched.watchers.delete(watcher) && watched.watchers.size === 0) end(id, watched)
      }
    },
    check,
  }
}
