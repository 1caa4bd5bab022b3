import type { Connection, Parcel } from './connection.ts'

/** Sends notices, those of one tick together, and bounds what waits. */
export interface Outbox {
  /** @throws Error for the first notice that is lost for a reason; the others for the same reason are lost in silence */
  add(parcel: Parcel): void
  connected(connection: Connection): void
  /** There is no connection, for this reason: what waits is lost, and so is what comes until there is one. */
  disconnected(reason: Error): void
  /** How many notices were lost since this was last asked. */
  takeLost(): number
  /** Resolves when the server has taken all, or cannot any more. */
  drained(): Promise<void>
}

/** What was given to one connection. */
interface Session {
  readonly connection: Connection
  /** Notices that the server has not taken yet. */
  untaken: number
  readonly underWay: Set<Promise<void>>
}

const sizeOf = ([channel, text]: Parcel): number => channel.length + text.length

/**
 * Before the first attempt to connect has ended, notices wait. Long, because a notice that waits, is under way, or is
 * lost is counted in one place.
 *
 * @param most how many characters may wait for the server
 * @param refused told of what the server refuses on a connection that works
 */
export function createOutbox(most: number, refused: (error: unknown) => void): Outbox {
  const allowed = `At most ${most} characters may wait (maxWaiting).`
  let batch: Parcel[] = []
  let session: Session | null = null
  /** Why notices are lost at present; null while they are not. */
  let obstacle: Error | null = null
  let told = false
  let waiting = 0
  let lost = 0
  let flushing = false

  function lose(reason: Error): void {
    lost++
    if (told) return
    told = true
    throw reason
  }

  async function send(on: Session, parcels: readonly Parcel[], size: number): Promise<void> {
    on.untaken += parcels.length
    try {
      await on.connection.publish(parcels)
    } catch (error) {
      if (on === session) refused(error)
    }
    if (on !== session) return
    on.untaken -= parcels.length
    waiting -= size
    // Only where there is much room again: one obstacle is not told over and over.
    if (obstacle !== null && waiting < most / 2) {
      obstacle = null
      told = false
    }
  }

  function flush(): void {
    flushing = false
    if (session === null || batch.length === 0) return
    const parcels = batch
    batch = []
    const { underWay } = session
    const size = parcels.reduce((sum, parcel) => sum + sizeOf(parcel), 0)
    const sending = send(session, parcels, size)
    underWay.add(sending)
    void sending.finally(() => underWay.delete(sending))
  }

  function flushSoon(): void {
    if (flushing) return
    flushing = true
    setImmediate(flush)
  }

  return {
    add(parcel) {
      if (obstacle !== null) return lose(obstacle)
      const size = sizeOf(parcel)
      if (size > most) return lose(new Error(`A notice of ${size} characters is lost. ${allowed}`))
      if (waiting + size > most) {
        obstacle = new Error(`The server takes notices too slowly, and some are lost. ${allowed}`)
        return lose(obstacle)
      }
      waiting += size
      batch.push(parcel)
      if (session !== null) flushSoon()
    },
    connected(connection) {
      session = { connection, untaken: 0, underWay: new Set() }
      obstacle = null
      told = false
      if (batch.length > 0) flushSoon()
    },
    disconnected(reason) {
      lost += batch.length + (session?.untaken ?? 0)
      batch = []
      waiting = 0
      session = null
      obstacle = reason
    },
    takeLost() {
      const count = lost
      lost = 0
      return count
    },
    async drained() {
      flush()
      await Promise.all(session?.underWay ?? [])
    },
  }
}
