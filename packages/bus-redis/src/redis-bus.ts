import { randomBytes } from 'node:crypto'
import { type Bus, consoleLog, type Log } from '@colloquy/core'
import { checkOptions } from './check-options.ts'
import { asError, type Connection } from './connection.ts'
import type { IoRedisClient } from './ioredis-connection.ts'
import { createLink } from './link.ts'
import type { NodeRedisClient } from './node-redis-connection.ts'
import { createOutbox } from './outbox.ts'
import { createReports } from './reports.ts'
import { channelOf, isFrom, read, write } from './said.ts'
import { createSubscriptions } from './subscriptions.ts'

/** A client of the package `ioredis`, or of `redis`. */
export type RedisClient = IoRedisClient | NodeRedisClient

/** What a bus over Redis may do; see the README. One of `client` and `url` is required. */
export interface RedisBusOptions {
  /**
   * A client of `ioredis` or `redis`, connected or not. The bus makes two connections of its own with its options, and
   * leaves the client itself alone.
   */
  readonly client?: RedisClient
  /** `redis://…` or `rediss://…`: the bus makes the client, with the package `redis` or `ioredis`. */
  readonly url?: string
  /** Begins the name of every channel; platforms that are not to hear each other have different ones. @default colloquy: */
  readonly prefix?: string
  /**
   * Uses sharded publish and subscribe (`SSUBSCRIBE`, Redis 7). All processes say the same, because neither kind hears
   * the other.
   * @default false
   */
  readonly sharded?: boolean
  /** Told when the server is away and back, and of what is no notice. @default the console */
  readonly log?: Log
  /** How long a new connection may take, milliseconds. @default 10000 */
  readonly connectTimeout?: number
  /** How often a connection is asked whether it is alive, milliseconds. @default 10000 */
  readonly pingInterval?: number
  /** How long it may take to say so, milliseconds. @default 5000 */
  readonly pingTimeout?: number
  /** How many characters of notices may wait for the server; what comes beyond is lost. @default 8388608 */
  readonly maxWaiting?: number
}

/** A bus over Redis. */
export interface RedisBus extends Bus {
  /** Sends what was said, where the server still takes it, and ends both connections. */
  close(): Promise<void>
}

/** How long `close` waits for the server to take what was said, milliseconds. */
const FAREWELL = 1_000

/** Resolves with the promise, or when the time is up. */
const atMost = async (milliseconds: number, promise: Promise<unknown>): Promise<void> => {
  let late: NodeJS.Timeout | undefined
  const end = new Promise<void>(resolve => {
    late = setTimeout(resolve, milliseconds)
  })
  await Promise.race([promise, end])
  clearTimeout(late)
}

/**
 * A bus between processes over the channels of Redis (BR1 to BR14). It connects in the background, and again whenever
 * the server was away; every listener is then told of a gap.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an option that will not do (EM4)
 */
export function createRedisBus(options: RedisBusOptions): RedisBus {
  const { connect, server, prefix, timing, maxWaiting } = checkOptions(options)
  const name = randomBytes(8).toString('base64url')
  const reports = createReports(options.log ?? consoleLog, server)
  let closed = false

  const outbox = createOutbox(maxWaiting, error =>
    reports.often(`${server} refuses notices, and they are lost.`, { reason: asError(error).message }),
  )
  const subscriptions = createSubscriptions((connection, error) =>
    subscriber.lose(connection, asError(error)),
  )

  function hear(channel: string, text: string): void {
    const listener = subscriptions.listenerOf(channel)
    if (listener === undefined || isFrom(name, text)) return
    const message = read(text)
    if (message !== null) listener.message(message)
    else reports.often(`What is no notice came over ${server}, and is ignored.`, { channel })
  }

  const working = new Set<string>()
  const up = (link: string): void => {
    working.add(link)
    if (working.size === 2) reports.back(outbox.takeLost())
  }
  const down = (link: string, error: Error): void => {
    working.delete(link)
    reports.away(error)
  }

  const publisher = createLink({
    connect,
    timing,
    message: () => undefined,
    up(connection: Connection) {
      outbox.connected(connection)
      up('publisher')
    },
    down(error) {
      outbox.disconnected(new Error(`${server} cannot be reached, and notices are lost until it can be.`, { cause: error }))
      down('publisher', error)
    },
  })
  const subscriber = createLink({
    connect,
    timing,
    message: hear,
    up(connection) {
      subscriptions.connected(connection)
      up('subscriber')
    },
    down(error) {
      subscriptions.disconnected()
      down('subscriber', error)
    },
  })

  return {
    publish(topic, message) {
      outbox.add([channelOf(prefix, topic), write(name, message)])
    },
    subscribe: (topic, listener) => subscriptions.add(channelOf(prefix, topic), listener),
    async close() {
      if (closed) return
      closed = true
      await atMost(FAREWELL, outbox.drained())
      outbox.disconnected(new Error('The bus is closed.'))
      subscriptions.disconnected()
      publisher.close()
      subscriber.close()
    },
  }
}
