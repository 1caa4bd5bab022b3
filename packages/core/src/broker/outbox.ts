import type { Connection, Parcel } from './connection.ts'

/** Sends notices, those of one tick together, and bounds what waits. */
export interface Outbox {
  /**
   * @throws Error for the first notice that is lost for a reason; those after it are lost in silence, and so are all
   *   that are lost for want of a connection
   */
  add(parcel: Parcel): void
  connected(connection: Connection): void
  /** There is no connection: what waits is lost, and so is what comes until there is one. The caller tells why. */
  disconnected(): void
  /** There will be no connection any more: what waits is lost, and so is what comes. */
  close(): void
  /** The number of notices that were lost since the last call. */
  takeLost(): number
  /** Resolves when the broker has taken all, or cannot any more. */
  drained(): Promise<void>
}

/** The bus's side of an outbox. */
export interface OutboxOptions {
  /** Characters that may wait for the broker. */
  readonly most: number
  /** The text that says that a notice was lost on a channel. */
  readonly gap: string
  /** Told of what the broker refuses on a connection that works. */
  refused(error: unknown): void
}

/** Replaces a text that is too long by a gap: its receivers read the store. */
const fitting = (parcel: Parcel, longest: number, gap: string): Parcel =>
  fits(parcel[1], longest) ? parcel : [parcel[0], gap]

/** Notices that were given to one connection. */
interface Session {
  readonly connection: Connection
  /** Parcels that the broker has not taken yet, each with a promise that it has. */
  readonly untaken: Map<readonly Parcel[], Promise<void>>
}

/** The most channels for which a lost notice is remembered. */
const REMEMBERED = 10_000

const sizeOf = ([channel, text]: Parcel): number => channel.length + text.length

/** A UTF-16 unit has at most so many bytes of UTF-8. */
const BYTES_PER_UNIT = 3

/** True for a text that has at most so many bytes; most are known to be short without being counted. */
const fits = (text: string, longest: number): boolean =>
  text.length * BYTES_PER_UNIT <= longest || new TextEncoder().encode(text).length <= longest

/**
 * Before the first attempt to connect has ended, notices wait. Where some were lost, the channel is told so once there
 * is a connection: those who listen may have been connected all the time. Long, because a notice that waits, is under
 * way, or is lost is counted in one place.
 */
export function createOutbox({ most, gap, refused }: OutboxOptions): Outbox {
  let batch: Parcel[] = []
  let session: Session | null = null
  /** Why notices are lost at present; null while they are not. */
  let obstacle: Error | 'away' | null = null
  let told = false
  let waiting = 0
  let lost = 0
  let flushing = false
  const channelsOfLost = new Set<string>()

  function countLost(parcels: readonly Parcel[]): void {
    lost += parcels.length
    for (const [channel] of parcels) if (channelsOfLost.size < REMEMBERED) channelsOfLost.add(channel)
  }

  function lose(parcel: Parcel, reason: Error | 'away'): void {
    countLost([parcel])
    if (told || reason === 'away') return
    told = true
    throw reason
  }

  function flushSoon(): void {
    if (flushing || session === null || batch.length === 0) return
    flushing = true
    setImmediate(flush)
  }

  /** No notice is lost any more: says where some were. */
  function overcome(): void {
    obstacle = null
    told = false
    for (const channel of channelsOfLost) {
      const parcel = [channel, gap] as const
      batch.push(parcel)
      waiting += sizeOf(parcel)
    }
    channelsOfLost.clear()
    flushSoon()
  }

  async function send(on: Session, parcels: readonly Parcel[]): Promise<void> {
    const { longestText } = on.connection
    const fitted = longestText === undefined ? parcels : parcels.map(one => fitting(one, longestText, gap))
    try {
      await on.connection.publish(fitted)
    } catch (error) {
      if (on === session) refused(error)
    }
    if (on !== session) return
    on.untaken.delete(parcels)
    waiting -= parcels.reduce((sum, parcel) => sum + sizeOf(parcel), 0)
    // Only where there is much room again: one obstacle is not told over and over.
    if (obstacle !== null && waiting < most / 2) overcome()
  }

  function disconnect(reason: Error | 'away'): void {
    for (const parcels of [...(session?.untaken.keys() ?? []), batch]) countLost(parcels)
    batch = []
    waiting = 0
    session = null
    obstacle = reason
    told = false
  }

  function flush(): void {
    flushing = false
    if (session === null || batch.length === 0) return
    const parcels = batch
    batch = []
    session.untaken.set(parcels, send(session, parcels))
  }

  return {
    add(parcel) {
      if (obstacle !== null) return lose(parcel, obstacle)
      const size = sizeOf(parcel)
      if (size > most)
        return lose(
          parcel,
          new Error(`A notice of ${size} characters is lost. At most ${most} may wait (maxWaiting).`),
        )
      if (waiting + size > most) {
        obstacle = new Error(
          `The broker takes notices too slowly, and some are lost. At most ${most} characters may wait (maxWaiting).`,
        )
        return lose(parcel, obstacle)
      }
      waiting += size
      batch.push(parcel)
      flushSoon()
    },
    connected(connection) {
      session = { connection, untaken: new Map() }
      overcome()
    },
    disconnected: () => disconnect('away'),
    close: () => disconnect(new Error('The bus is closed.')),
    takeLost() {
      const count = lost
      lost = 0
      return count
    },
    async drained() {
      flush()
      await Promise.all(session?.untaken.values() ?? [])
    },
  }
}
