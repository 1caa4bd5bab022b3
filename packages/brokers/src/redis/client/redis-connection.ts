/** One connection to Redis. It never reconnects by itself and keeps nothing for later: that is its owner's. */
export interface RedisConnection<Client> {
  /** The client that it is a connection of, for commands. */
  readonly client: Client
  /** Resolves when it works, with the password taken. */
  open(): Promise<void>
  ping(): Promise<void>
  /** Ends it at once. */
  destroy(): void
}
