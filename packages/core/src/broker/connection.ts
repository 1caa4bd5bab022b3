/** A message on its way: the channel and the text. */
export type Parcel = readonly [channel: string, text: string]

/** Callbacks of a connection to its owner. */
export interface ConnectionEvents {
  message(channel: string, text: string): void
  /** Something came that no bus has written: it is ignored. For brokers where it may be on no channel of a topic. */
  foreign(): void
  /** Called at least once when it has ended or cannot work, also without a request. */
  ended(error: Error): void
}

/**
 * One connection to a broker. It never reconnects and keeps nothing for later: its owner does. Promises
 * reject when the broker refuses, or when the connection has ended.
 */
export interface Connection {
  /** Resolves when it works, with the password taken. */
  open(): Promise<void>
  /** The longest text in bytes of UTF-8. Read once the connection works. @default no limit */
  readonly longestText?: number
  /** Sends all of them in one piece, in this order. Resolves once the broker has taken them. */
  publish(parcels: readonly Parcel[]): Promise<void>
  /** Resolves once the broker delivers messages on all of them. */
  subscribe(channels: readonly string[]): Promise<void>
  unsubscribe(channels: readonly string[]): Promise<void>
  ping(): Promise<void>
  /** Ends it at once. */
  destroy(): void
}

/** Makes a connection, which is then to be opened. */
export type Connect = (events: ConnectionEvents) => Connection

/** Makes an error of any thrown value. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))
