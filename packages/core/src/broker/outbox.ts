import type { Connection, Parcel } from './connection.ts'

/** The bus's side of an outbox. */
export interface OutboxOptions {
  /** Characters that may wait for the broker. */
  readonly most: number
  /** The text for a lost notice on a channel. */
  readonly gap: string
  /** Called with errors of the broker on a connection that works. */
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

/** Sends notices, those of one tick together, and bounds what waits. */
export class Outbox {
  readonly #options: OutboxOptions
  #batch: Parcel[] = []
  #session: Session | null = null
  /** The reason why notices are lost at present; null while they are not. */
  #obstacle: Error | 'away' | null = null
  #told = false
  #waiting = 0
  #lost = 0
  #flushing = false
  readonly #channelsOfLost = new Set<string>()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  #countLost(parcels: readonly Parcel[]): void {
    this.#lost += parcels.length
    for (const [channel] of parcels)
      if (this.#channelsOfLost.size < REMEMBERED) this.#channelsOfLost.add(channel)
  }

  #lose(parcel: Parcel, reason: Error | 'away'): void {
    this.#countLost([parcel])
    if (this.#told || reason === 'away') return
    this.#told = true
    throw reason
  }

  #put(parcel: Parcel): void {
    this.#batch.push(parcel)
    this.#waiting += sizeOf(parcel)
  }

  #flushSoon(): void {
    if (this.#flushing || this.#session === null || this.#batch.length === 0) return
    this.#flushing = true
    setImmediate(() => this.#flush())
  }

  /** No notice is lost any more: says where some were. */
  #overcome(): void {
    this.#obstacle = null
    this.#told = false
    for (const channel of this.#channelsOfLost) this.#put([channel, this.#options.gap])
    this.#channelsOfLost.clear()
    this.#flushSoon()
  }

  async #send(on: Session, parcels: readonly Parcel[]): Promise<void> {
    const { gap, most, refused } = this.#options
    const { longestText } = on.connection
    const fitted = longestText === undefined ? parcels : parcels.map(one => fitting(one, longestText, gap))
    try {
      await on.connection.publish(fitted)
    } catch (error) {
      if (on === this.#session) refused(error)
    }
    if (on !== this.#session) return
    on.untaken.delete(parcels)
    this.#waiting -= parcels.reduce((sum, parcel) => sum + sizeOf(parcel), 0)
    // Only once there is much room again, so that one obstacle is not reported repeatedly.
    if (this.#obstacle !== null && this.#waiting < most / 2) this.#overcome()
  }

  #disconnect(reason: Error | 'away'): void {
    for (const parcels of [...(this.#session?.untaken.keys() ?? []), this.#batch]) this.#countLost(parcels)
    this.#batch = []
    this.#waiting = 0
    this.#session = null
    this.#obstacle = reason
    this.#told = false
  }

  #flush(): void {
    this.#flushing = false
    if (this.#session === null || this.#batch.length === 0) return
    const parcels = this.#batch
    this.#batch = []
    this.#session.untaken.set(parcels, this.#send(this.#session, parcels))
  }

  /**
   * @throws Error for the first notice that is lost for a reason; those after it are lost in silence, and so are all
   *   that are lost for want of a connection
   */
  add(parcel: Parcel): void {
    const { most } = this.#options
    const size = sizeOf(parcel)
    const fitsAlone = size <= most
    if (fitsAlone && this.#waiting + size > most)
      this.#obstacle ??= new Error(
        `The broker takes notices too slowly, and some are lost. At most ${most} characters may wait (maxWaiting).`,
      )
    const tooLong = `A notice of ${size} characters is lost. At most ${most} may wait (maxWaiting).`
    const reason = this.#obstacle ?? (fitsAlone ? null : new Error(tooLong))
    if (reason !== null) this.#lose(parcel, reason)
    else {
      this.#put(parcel)
      this.#flushSoon()
    }
  }

  connected(connection: Connection): void {
    this.#session = { connection, untaken: new Map() }
    this.#overcome()
  }

  /**
   * There is no connection: waiting notices are lost, and so are new ones until there is one. The caller reports the
   * reason.
   */
  disconnected(): void {
    this.#disconnect('away')
  }

  /** There will be no connection any more: what waits is lost, and so is what comes. */
  close(): void {
    this.#disconnect(new Error('The bus is closed.'))
  }

  /** The number of notices that were lost since the last call. */
  takeLost(): number {
    const count = this.#lost
    this.#lost = 0
    return count
  }

  /** Resolves when the broker has taken all, or cannot any more. */
  async drained(): Promise<void> {
    this.#flush()
    await Promise.all(this.#session?.untaken.values() ?? [])
  }
}
