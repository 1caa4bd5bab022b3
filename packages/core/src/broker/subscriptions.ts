import type { BusListener } from '../ports/bus.ts'
import type { Connection } from './connection.ts'

/** As many channels go into one command, so that one answer does not hold everything else up. */
const CHANNELS_PER_COMMAND = 1_000

/** The listeners by channel. */
export interface Subscriptions {
  /**
   * At most one listener for a channel at a time. It is notified of a gap once the broker delivers to it, because it
   * has missed everything before. The returned function ends it.
   */
  add(channel: string, listener: BusListener): () => void
  listenerOf(channel: string): BusListener | undefined
  /** A new connection works. Every listener is notified of a gap once the broker delivers to it. */
  connected(connection: Connection): void
  disconnected(): void
}

/** The subscriptions that the broker has on one connection. */
interface Session {
  readonly connection: Connection
  readonly known: Set<string>
  /** Channels whose subscription at the broker may differ from the wanted one. */
  changed: Set<string>
  settling: boolean
}

function* piecesOf(channels: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < channels.length; start += CHANNELS_PER_COMMAND)
    yield channels.slice(start, start + CHANNELS_PER_COMMAND)
}

/**
 * Makes the broker's subscriptions match the wanted ones, one command after the other. Changes during a command are
 * settled by the next one, so no order of subscribing and leaving can end in another state.
 *
 * @param failed called with a connection on which the broker refuses a subscription
 */
export function createSubscriptions(failed: (connection: Connection, error: unknown) => void): Subscriptions {
  const listeners = new Map<string, BusListener>()
  let session: Session | null = null

  /** One round; it ends early where the connection is no longer the one in use. */
  async function round(on: Session): Promise<void> {
    const channels = [...on.changed]
    on.changed = new Set()
    const gone = channels.filter(channel => on.known.has(channel) && !listeners.has(channel))
    const wanted = channels.filter(channel => !on.known.has(channel) && listeners.has(channel))
    for (const piece of piecesOf(gone)) {
      await on.connection.unsubscribe(piece)
      for (const channel of piece) on.known.delete(channel)
      if (on !== session) return
    }
    for (const piece of piecesOf(wanted)) {
      await on.connection.subscribe(piece)
      for (const channel of piece) on.known.add(channel)
      for (const channel of piece) {
        if (on !== session) return
        listeners.get(channel)?.gap()
      }
    }
  }

  async function settle(on: Session): Promise<void> {
    if (on.settling) return
    on.settling = true
    try {
      // All subscriptions of this tick are sent together.
      await null
      while (on === session && on.changed.size > 0) await round(on)
    } catch (error) {
      if (on === session) failed(on.connection, error)
    } finally {
      on.settling = false
    }
  }

  function change(channel: string): void {
    if (session === null) return
    session.changed.add(channel)
    void settle(session)
  }

  return {
    add(channel, listener) {
      if (listeners.has(channel))
        throw new Error(`There is a listener to ${JSON.stringify(channel)} already.`)
      listeners.set(channel, listener)
      change(channel)
      return () => {
        if (listeners.get(channel) !== listener) return
        listeners.delete(channel)
        change(channel)
      }
    },
    listenerOf: channel => listeners.get(channel),
    connected(connection) {
      const channels = [...listeners.keys()]
      session = {
        connection,
        known: new Set(),
        changed: new Set(channels),
        settling: false,
      }
      void settle(session)
    },
    disconnected() {
      session = null
    },
  }
}
