/** One connection to Redis. It never reconnects automatically and keeps no state: both are its owner's task. */
export interface RedisConnection<Client> {
  /** The client that it is a connection of, for commands. */
  readonly client: Client
  /** Resolves when it works, with the password taken. */
  open(): Promise<void>
  ping(): Promise<void>
  /** Ends it at once. */
  destroy(): void
}
