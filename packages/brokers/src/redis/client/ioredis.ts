import type { RedisConnection } from './redis-connection.ts'

/** The part of an `ioredis` client that is used here. */
export interface IoRedisClient {
  duplicate(override?: object): IoRedisClient
  connect(): Promise<unknown>
  disconnect(): void
  ping(): Promise<unknown>
  call(command: string, ...args: string[]): Promise<unknown>
  pipeline(commands: unknown[][]): { exec(): Promise<unknown> }
  subscribe(...channels: string[]): Promise<unknown>
  unsubscribe(...channels: string[]): Promise<unknown>
  ssubscribe(...channels: string[]): Promise<unknown>
  sunsubscribe(...channels: string[]): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'close', listener: () => void): unknown
  on(event: string, listener: (channel: string, text: string) => void): unknown
}

/** The owner of a connection decides when there is another one; names of channels and keys are the owner's. */
const OVERRIDE = {
  lazyConnect: true,
  retryStrategy: null,
  sentinelRetryStrategy: null,
  reconnectOnError: null,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  keyPrefix: '',
}

/**
 * Returns a connection with the options of a client of `ioredis`.
 *
 * @param ended called at least once after it has ended
 */
export function ioRedisConnection(
  template: IoRedisClient,
  ended: (error: Error) => void,
): RedisConnection<IoRedisClient> {
  const client = template.duplicate(OVERRIDE)
  // The reason comes as an event. The rejection only says that the connection is closed.
  let reason: Error | null = null
  client.on('error', (error: Error) => {
    reason ??= error
  })
  client.on('close', () => ended(reason ?? new Error('The connection was closed.')))
  return {
    client,
    async open() {
      try {
        await client.connect()
      } catch (error) {
        throw reason ?? error
      }
    },
    async ping() {
      await client.ping()
    },
    destroy: () => client.disconnect(),
  }
}
