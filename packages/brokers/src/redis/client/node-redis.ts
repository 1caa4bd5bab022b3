import type { RedisConnection } from './redis-connection.ts'

/** The part of a `redis` client that is used here. */
export interface NodeRedisClient {
  readonly options: { readonly socket?: object | undefined }
  readonly isOpen: boolean
  duplicate(overrides?: object): NodeRedisClient
  connect(): Promise<unknown>
  destroy(): void
  ping(): Promise<unknown>
  sendCommand(command: string[]): Promise<unknown>
  publish(channel: string, message: string): Promise<unknown>
  sPublish(channel: string, message: string): Promise<unknown>
  subscribe(channels: string[], listener: (message: string, channel: string) => void): Promise<unknown>
  unsubscribe(channels: string[]): Promise<unknown>
  sSubscribe(channels: string[], listener: (message: string, channel: string) => void): Promise<unknown>
  sUnsubscribe(channels: string[]): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/**
 * The client writes one piece in a turn of the event loop, of so many bytes at most. With the 16 KiB of Node a process
 * whose turns are long says less than it has to say.
 */
const PIECE = 8 * 2 ** 20

/**
 * Returns a connection with the options of a client of `redis`.
 *
 * @param ended called at least once after it has ended
 */
export function nodeRedisConnection(
  template: NodeRedisClient,
  ended: (error: Error) => void,
): RedisConnection<NodeRedisClient> {
  // The owner of a connection decides when there is another one.
  const socket = { highWaterMark: PIECE, ...template.options.socket, reconnectStrategy: false }
  const client = template.duplicate({
    socket,
    disableOfflineQueue: true,
    pingInterval: undefined,
    // A timer for each command is dear, and a ping finds out what it would.
    commandOptions: { timeout: undefined },
  })
  client.on('error', (error: Error) => {
    if (!client.isOpen) ended(error)
  })
  return {
    client,
    async open() {
      await client.connect()
    },
    async ping() {
      await client.ping()
    },
    destroy() {
      try {
        client.destroy()
      } catch {
        // Before its version 6 a client that has ended already throws.
      }
    },
  }
}
